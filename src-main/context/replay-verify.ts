// Owns the verification of requests (V-2): each one is built again from history and request-parts, with the one builder,
// and compared with what the log says was sent. Reads alone; the model comes from the envelope, never from the settings.
import { openAttachments } from '../history/attachments'
import type { HistoryFiles } from '../history/history-files'
import { digestPrompt } from './canonical-request'
import type { RequestKind } from '@common/rows/boundaries'
import { buildPrompt, type PromptSettings } from './prepare-request'
import { prefixOf } from './logged-prefix'
import type { PrefixChange } from './prefix-change'
import { messageDifference, partDifference, type ReplayDifference } from './replay-difference'
import { type ReplayNeeds, type ReplayWindow, readReplayWindow, replayRowsOf, withNeedsOf } from './replay-rows'
import type { LoggedRequest } from './request-log-reader'
import { readRequestLog } from './request-log-reader'
import type { ToolDigest } from './request-log-lines'
import { readPart } from './request-parts'

const REQUEST_KINDS: readonly RequestKind[] = ['turn', 'compaction']

export interface ReplayVerdict {
  readonly requestSequence: number
  readonly kind: string
  readonly attempt: number
  readonly model: string
  readonly windowId: string
  readonly result: 'identical' | 'differs'
  readonly firstDifference: ReplayDifference | null
  /** How many of its rows an edit cut since: they were read from cut-rows.jsonl. */
  readonly cutRows: number
  /** What it shares with the request before it; null for the first, and where one of them is not known whole. */
  readonly prefix: PrefixChange | null
}

export interface ReplaySummary {
  readonly requests: number
  readonly differing: number
  /** Lines of requests.jsonl that cannot be read; what they said is not verified. */
  readonly damagedLines: number
}

/**
 * Every request that the workspace has an envelope for, in the order of the log; a fork has none of its parent's.
 * One window is in memory at a time. Returns the sums. Throws the system's error.
 */
export async function* verifyRequests(files: HistoryFiles): AsyncGenerator<ReplayVerdict, ReplaySummary> {
  const needs = new Map<string, ReplayNeeds>()
  let requests = 0
  const planned = readRequestLog(files)
  let next = await planned.next()
  for (; next.done !== true; next = await planned.next()) {
    const { envelope } = next.value
    needs.set(envelope.windowId, withNeedsOf(envelope, needs.get(envelope.windowId)))
    requests++
  }
  const verifier = new RequestVerifier(files, needs)
  let [verified, differing] = [0, 0]
  let previous: LoggedRequest | null = null
  if (requests > 0)
    for await (const logged of readRequestLog(files)) {
      const verdict = { ...(await verifier.verify(logged)), prefix: previous && prefixOf(previous, logged) }
      previous = logged
      if (verdict.result === 'differs') differing++
      yield verdict
      // What goes out meanwhile is for the next run, which knows the rows that it needs.
      if (++verified === requests) break
    }
  return { requests: verified, differing, damagedLines: next.value.lines }
}

class RequestVerifier {
  readonly #files: HistoryFiles
  readonly #needs: ReadonlyMap<string, ReplayNeeds>
  readonly #loadAttachment: PromptSettings['loadAttachment']
  /** Hashes of parts that were found whole. */
  readonly #whole = new Set<string>()
  #window: { readonly id: string; readonly rows: ReplayWindow } | null = null

  constructor(files: HistoryFiles, needs: ReadonlyMap<string, ReplayNeeds>) {
    this.#files = files
    this.#needs = needs
    const attachments = openAttachments(files.paths.attachments)
    this.#loadAttachment = (part) => attachments.read(part)
  }

  async verify(logged: LoggedRequest): Promise<Omit<ReplayVerdict, 'prefix'>> {
    const { requestSequence, kind, attempt, model, windowId } = logged.envelope
    const { difference, cutRows } = await this.#compare(logged)
    const result = difference === null ? 'identical' : 'differs'
    return { requestSequence, kind, attempt, model, windowId, result, firstDifference: difference, cutRows }
  }

  async #compare(logged: LoggedRequest): Promise<{ difference: ReplayDifference | null; cutRows: number }> {
    const { envelope } = logged
    const kind = REQUEST_KINDS.find((known) => known === envelope.kind)
    if (kind === undefined) {
      const what = `This version cannot build a request of the kind “${envelope.kind}” again.`
      return { difference: partDifference('kind', what), cutRows: 0 }
    }
    const replay = replayRowsOf(envelope, await this.#windowOf(envelope.windowId))
    const settings: PromptSettings = {
      modelRef: envelope.model,
      systemText: '',
      loadAttachment: this.#loadAttachment,
      kind,
      atRequest: envelope.requestSequence
    }
    const { messages } = digestPrompt(await buildPrompt(replay.rows, settings))
    const difference =
      (await this.#systemDifference(logged)) ??
      (await this.#toolDifference(logged.tools)) ??
      (await messageDifference(logged, messages, { replay, settings }))
    return { difference, cutRows: replay.cutRows }
  }

  /** A part is what was sent when its bytes still have the hash. */
  async #systemDifference({ envelope: { system } }: LoggedRequest): Promise<ReplayDifference | null> {
    if (await this.#isWhole(system.sha256)) return null
    return partDifference('system', goneText('The system text', system.sha256), { was: system })
  }

  async #toolDifference(tools: readonly ToolDigest[] | null): Promise<ReplayDifference | null> {
    if (tools === null)
      return partDifference('tool', 'Which tools were advertised is said by a line before, which cannot be read.')
    for (const [index, tool] of tools.entries()) {
      if (await this.#isWhole(tool.sha256)) continue
      return partDifference('tool', goneText(`The schema of ${tool.name}`, tool.sha256), { index, was: tool })
    }
    return null
  }

  async #isWhole(sha256: string): Promise<boolean> {
    if (this.#whole.has(sha256)) return true
    const isWhole = (await readPart(this.#files.paths.requestParts, sha256)) !== null
    if (isWhole) this.#whole.add(sha256)
    return isWhole
  }

  async #windowOf(id: string): Promise<ReplayWindow> {
    const needs = this.#needs.get(id)
    if (this.#window?.id !== id)
      this.#window = { id, rows: needs === undefined ? [] : await readReplayWindow(this.#files, id, needs) }
    return this.#window.rows
  }
}

function goneText(what: string, sha256: string): string {
  return `${what} (request-parts/${sha256}.txt) is missing or is not what it was.`
}
