// Owns reading a session of the pi coding agent: one JSON object a line, tool results as messages of their own.
// Every message is kept; a line of a kind that we do not know becomes a machine row that says so.
import { z } from 'zod'
import { MAX_PASTED_TEXT_BYTES } from '@common/constants'
import { divideRow } from '@common/rows/divide-row'
import type { NewRow } from '@common/rows/row-schema'
import type { FileSystem } from '../files/file-system'
import type { AttachmentFiles } from './attachments'
import type { ImportedLine, ImportPlan } from './import-windows'
import { checkSize } from './encode-batch'
import { parseJsonLine } from './parse-line'
import { PiAssistant, type PiAssistantMessage, PiToolResult, PiUser, type PiToolResultMessage } from './pi-messages'
import { assistantRowOf, type PendingAnswer, settlePiCall, userRowOf } from './pi-rows'
import { readTextLines } from './read-text-lines'
import type { SpillFiles } from './spill'

export interface PiImportDeps {
  readonly attachments: AttachmentFiles
  readonly spill: SpillFiles
  newId(): string
}

const PiLine = z.looseObject({ type: z.string(), timestamp: z.string().optional() })
const PiMessageLine = z.looseObject({ type: z.literal('message'), message: z.looseObject({ role: z.string() }) })

/** Lines that a person need not see among the messages: they say nothing, or what the answers show themselves. */
const QUIET_LINES: ReadonlySet<string> = new Set([
  'session',
  'session_info',
  'thinking_level_change',
  'custom',
  'label',
  'leaf'
])

/** Reads lazily; `lines` throws the system's error. */
export async function planPiImport(fs: FileSystem, path: string, deps: PiImportDeps): Promise<ImportPlan> {
  const reader = new PiReader(deps)
  return { lines: numbered(reader, fs, path, deps), skipped: () => reader.skipped }
}

async function* numbered(
  reader: PiReader,
  fs: FileSystem,
  path: string,
  { newId }: PiImportDeps
): AsyncGenerator<ImportedLine> {
  let historySequence = 0
  for await (const row of reader.read(fs, path)) {
    for (const piece of divideRow(row, newId)) {
      const numberedRow = { ...piece, metadata: { ...piece.metadata, historySequence: historySequence + 1 } }
      const line = JSON.stringify(numberedRow)
      if (checkSize(numberedRow, line) === null) yield { line, window: null }
      else reader.skipped++
      historySequence++
    }
  }
}

/** Holds the newest answer open until its tool results have come by. */
class PiReader {
  readonly #deps: PiImportDeps
  #open: PendingAnswer | null = null
  /** The last assistant row of the turn: the next one goes on from it. */
  #previousId: string | null = null
  skipped = 0

  constructor(deps: PiImportDeps) {
    this.#deps = deps
  }

  async *read(fs: FileSystem, path: string): AsyncGenerator<NewRow> {
    for await (const text of readTextLines(fs, path)) {
      const line = PiLine.safeParse(text === null ? undefined : parseJsonLine(text))
      if (line.success) yield* this.#readLine(line.data)
      else this.skipped++
    }
    yield* this.#close()
  }

  async *#readLine(line: z.infer<typeof PiLine>): AsyncGenerator<NewRow> {
    const timestamp = line.timestamp === undefined ? Number.NaN : Date.parse(line.timestamp)
    const atMs = Number.isNaN(timestamp) ? undefined : timestamp
    const message = PiMessageLine.safeParse(line).data?.message
    const result = PiToolResult.safeParse(message)
    if (result.success && (await this.#settle(result.data))) return
    yield* this.#close()
    const assistant = PiAssistant.safeParse(message)
    const user = PiUser.safeParse(message)
    if (assistant.success) await this.#begin(assistant.data, atMs)
    else if (user.success) {
      this.#previousId = null
      yield await userRowOf(user.data, atMs, this.#deps)
    } else yield await machineRowOf(line, atMs, this.#deps)
  }

  /** False for a result whose call is not in the answer before it. */
  async #settle(result: PiToolResultMessage): Promise<boolean> {
    return this.#open !== null && (await settlePiCall(this.#open, result, this.#deps))
  }

  async #begin(message: PiAssistantMessage, atMs: number | undefined): Promise<void> {
    const place = { id: this.#deps.newId(), atMs, continues: this.#previousId }
    this.#open = await assistantRowOf(message, place, this.#deps)
  }

  *#close(): Generator<NewRow> {
    if (this.#open === null) return
    const row = this.#open.close()
    this.#open = null
    this.#previousId = row.id
    yield row
  }
}

async function machineRowOf(
  line: z.infer<typeof PiLine>,
  timestamp: number | undefined,
  { newId, spill }: PiImportDeps
): Promise<NewRow> {
  const { type, ...fields } = line
  const whole = JSON.stringify(fields)
  const isLong = Buffer.byteLength(whole) > MAX_PASTED_TEXT_BYTES
  const kept = isLong ? { spill: await spill.write(whole, 'application/json') } : fields
  return {
    id: newId(),
    role: 'assistant',
    parts: [],
    metadata: {
      ...(timestamp === undefined ? {} : { timestamp }),
      synthetic: true,
      uiVisible: !QUIET_LINES.has(type),
      machine: { ...kept, type: `pi-${type}` }
    }
  }
}
