// Owns naming the first thing in which a request that was built again is not the one that was sent (V-2).
import type { Row } from '@common/rows/row-schema'
import { chainOf } from './canonical-request'
import { buildPrompt, type PromptSettings } from './prepare-request'
import type { LoggedRequest } from './request-log-reader'
import type { MessageDigest, SequenceSpan, TextDigest } from './request-log-lines'
import type { ReplayRows } from './replay-rows'

export interface ReplayDifference {
  readonly part: 'kind' | 'system' | 'tool' | 'message'
  /** One sentence. */
  readonly what: string
  /** Of the message, 0 for the first one after the system text; of the tool; null where it cannot be told. */
  readonly index: number | null
  readonly role: string | null
  /** The first row that the message is made from, and all of them: neighbours of one role are one message. */
  readonly rowId: string | null
  readonly rowIds: readonly string[]
  /** Length of its canonical JSON, or of the text; null where there is none. */
  readonly bytesThen: number | null
  readonly bytesNow: number | null
  /** Sequences of rows that are neither in the window nor among the cut rows. */
  readonly missingRows: readonly SequenceSpan[]
}

/** A difference that is no message's. */
export function partDifference(
  part: 'kind' | 'system' | 'tool',
  what: string,
  { index = null, was = null }: { readonly index?: number | null; readonly was?: TextDigest | null } = {}
): ReplayDifference {
  const bytesThen = was?.bytes ?? null
  return { part, what, index, role: null, rowId: null, rowIds: [], bytesThen, bytesNow: null, missingRows: [] }
}

/** The first message that differs; null when the messages are those that were sent. */
export async function messageDifference(
  { envelope, messages: then }: LoggedRequest,
  now: readonly MessageDigest[],
  { replay, settings }: { readonly replay: ReplayRows; readonly settings: PromptSettings }
): Promise<ReplayDifference | null> {
  const { total, chain, shared, added } = envelope.messages
  const isSame = then === null ? chainOf(now) === chain : indexOfFirst(then, now) === null || chainOf(now) === chain
  if (isSame) return null
  const missingRows = replay.missing
  // Without the envelopes before it, only what this one names itself can be told.
  const index = then === null ? indexOfFirst(added, now.slice(shared), shared) : indexOfFirst(then, now)
  const was = index === null ? undefined : then === null ? added[index - shared] : then[index]
  const is = index === null ? undefined : now[index]
  const rowIds = index === null || is === undefined ? [] : await rowsOfMessage(replay.rows, index, settings)
  return {
    part: 'message',
    what: whatDiffers({ index, was, is, total, replay }),
    index,
    role: is?.role ?? was?.role ?? null,
    rowId: rowIds[0] ?? null,
    rowIds,
    bytesThen: was?.bytes ?? null,
    bytesNow: is?.bytes ?? null,
    missingRows
  }
}

/** Index of the first digest that is another one or is missing on one side; null when all are the same. */
function indexOfFirst(then: readonly MessageDigest[], now: readonly MessageDigest[], from = 0): number | null {
  const length = Math.max(then.length, now.length)
  for (let index = 0; index < length; index++) if (then[index]?.sha256 !== now[index]?.sha256) return from + index
  return null
}

interface Facts {
  readonly index: number | null
  readonly was: MessageDigest | undefined
  readonly is: MessageDigest | undefined
  readonly total: number
  readonly replay: ReplayRows
}

function whatDiffers(facts: Facts): string {
  const missing = missingText(facts.replay)
  return missing === null ? contentText(facts) : `${contentText(facts)} ${missing}`
}

function contentText({ index, was, is, total }: Facts): string {
  if (index === null) return 'The messages are not those that were sent; which of them cannot be told any more.'
  if (is === undefined) return `The request had ${total} messages; the history now gives only ${index}.`
  if (was === undefined) return `The request had ${total} messages; the history now gives more.`
  if (was.role !== is.role) return `This message was one of the role “${was.role}” and is now of “${is.role}”.`
  if (was.bytes === is.bytes) return 'The content of this message is not what was sent, at the same length.'
  return `The content of this message is not what was sent: it had ${was.bytes} bytes of JSON and has ${is.bytes}.`
}

function missingText({ missing, isAnswerMissing }: ReplayRows): string | null {
  if (missing.length > 0) {
    const spans = missing.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`))
    return `Rows that it was built from are neither in the window nor among the cut rows, or cannot be read: ${spans.join(', ')}.`
  }
  return isAnswerMissing ? 'The answer that was under way is not stored.' : null
}

/** Ids of the rows that the message at `index` is made from. More rows never give fewer messages. */
async function rowsOfMessage(rows: readonly Row[], index: number, settings: PromptSettings): Promise<string[]> {
  const first = await rowsNeededFor(rows, index + 1, settings)
  const next = await rowsNeededFor(rows, index + 2, settings)
  const candidates = rows.slice(Math.max(first - 1, 0), Math.max(next - 1, first))
  return candidates.map(({ id }) => id)
}

/** The least number of rows, from the first on, that give so many messages; one more than there are when none does. */
async function rowsNeededFor(rows: readonly Row[], messages: number, settings: PromptSettings): Promise<number> {
  let [low, high] = [0, rows.length + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const prompt = middle > rows.length ? null : await buildPrompt(rows.slice(0, middle), settings)
    if (prompt === null || prompt.length - 1 >= messages) high = middle
    else low = middle + 1
  }
  return low
}
