// Owns building one logged request again as a person looks at it (V-3): its texts, its messages with the rows that they
// come from, what was left out, and whether all of it is what was sent. Reads alone; the one builder makes the messages.
import type { RequestKind } from '@common/rows/boundaries'
import { sequenceOfWindowId } from '@common/ids'
import { NOTES_PATH } from '@common/memory/notes-path'
import type { HistoryFiles } from '../history/history-files'
import { listWindows } from '../history/window-files'
import { partHotMemoryBlock, splitAtMemories } from '../memory/hot-memory-block'
import { digestMessages } from './canonical-request'
import type { SourcedMessage } from './convert-rows'
import { type LeftOut, leftOutOf } from './left-out'
import { buildMessages, type PromptSettings } from './prepare-request'
import { messageDifference } from './replay-difference'
import { readReplayWindow, replayRowsOf } from './replay-rows'
import type { LoggedRequest } from './request-log-reader'
import { readPart } from './request-parts'

export interface RebuiltRequest {
  readonly logged: LoggedRequest
  /** The system text without memories and notes; null where its part is gone. */
  readonly system: string | null
  /** Empty for none. */
  readonly memories: string
  readonly notes: string
  /** `text` is null where its part is gone. */
  readonly tools: readonly { readonly name: string; readonly text: string | null }[]
  readonly messages: readonly SourcedMessage[]
  /** Why this is not what was sent; null where it is, byte for byte. */
  readonly difference: string | null
  readonly leftOut: readonly LeftOut[]
}

const REQUEST_KINDS: readonly RequestKind[] = ['turn', 'compaction']

/** Throws the system's error. */
export async function rebuildRequest(
  files: HistoryFiles,
  logged: LoggedRequest,
  loadAttachment: PromptSettings['loadAttachment']
): Promise<RebuiltRequest> {
  const { envelope } = logged
  const partsDir = files.paths.requestParts
  const systemText = await readPart(partsDir, envelope.system.sha256)
  const split = splitAtMemories(systemText ?? '')
  const { others, own } = partHotMemoryBlock(split.memories, NOTES_PATH)
  const tools = await Promise.all(
    (logged.tools ?? []).map(async ({ name, sha256 }) => ({ name, text: await readPart(partsDir, sha256) }))
  )
  const texts = { logged, system: systemText === null ? null : split.before, memories: others, notes: own, tools }
  const kind = REQUEST_KINDS.find((known) => known === envelope.kind)
  if (kind === undefined) {
    const difference = `This version cannot build a request of the kind “${envelope.kind}” again.`
    return { ...texts, messages: [], difference, leftOut: [] }
  }
  const last = envelope.lastHistorySequence ?? 0
  const start = sequenceOfWindowId(envelope.windowId) ?? 0
  // Sequences begin at 1; the root window is named 0.
  const first = Math.max(start, 1)
  const window = await readReplayWindow(files, envelope.windowId, {
    spans: first <= last ? [[first, last]] : [],
    answers: new Set(envelope.liveRow === null ? [] : [envelope.liveRow.id])
  })
  const replay = replayRowsOf(envelope, window)
  const settings: PromptSettings = {
    modelRef: envelope.model,
    systemText: '',
    loadAttachment,
    kind,
    atRequest: envelope.requestSequence
  }
  const messages = await buildMessages(replay.rows, settings)
  const digests = digestMessages(messages.map(({ message }) => message))
  const changed = await messageDifference(logged, digests, { replay, settings })
  const upTo = window.filter(({ row, from }) => from !== 'partial' && (row.metadata.historySequence ?? last) <= last)
  return {
    ...texts,
    messages,
    difference: partProblem(texts, logged) ?? changed?.what ?? null,
    leftOut: leftOutOf({
      envelope,
      windowRows: upTo.map(({ row }) => row),
      cutIds: new Set(upTo.flatMap(({ row, from }) => (from === 'cut-rows' ? [row.id] : []))),
      replay,
      messages,
      earlierWindows: listWindows(files).filter((each) => each < start).length
    })
  }
}

function partProblem(
  { system, tools }: Pick<RebuiltRequest, 'system' | 'tools'>,
  logged: LoggedRequest
): string | null {
  if (system === null) return 'The system text that was sent is missing in request-parts, or is not what it was.'
  if (logged.tools === null) return 'Which tools were offered is said by a line of the log that cannot be read.'
  const gone = tools.find(({ text }) => text === null)
  return gone === undefined ? null : `The schema of ${gone.name} is missing in request-parts, or is not what it was.`
}
