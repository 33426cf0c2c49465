// Owns the request for a summary (C-1): the window, trimmed from its beginning until it fits, and the wish at its end.
// It is never a budget block: what cannot be trimmed far enough is answered as a rejection, and the window stays.
import { isBoundary } from '@common/rows/boundaries'
import { usesOf } from '@common/rows/row-kinds'
import type { Row } from '@common/rows/row-schema'
import { askingForHeads } from './cut-results'
import { prepareRequest, type PreparedRequest, type RequestRejection, type TurnSettings } from './prepare-request'

export interface CompactionRequest {
  readonly request: PreparedRequest | RequestRejection
  /** The rows that it was built from, the wish last. */
  readonly rows: readonly Row[]
  /** Rows at the window's beginning that found no room. */
  readonly trimmed: number
}

/** The request that asks for a summary of these window rows; as few of the oldest as need be are left out. */
export async function prepareCompaction(
  windowRows: readonly Row[],
  wish: Row,
  turn: TurnSettings
): Promise<CompactionRequest> {
  const start = Math.max(windowRows.findLastIndex(isBoundary), 0)
  const sent = windowRows.slice(start).filter((row) => usesOf(row).provider === 'yes')
  const whole = await tryFrom(sent, 0, { wish, turn })
  if (whole.request.kind === 'prepared' || whole.request.reason === 'uncountable') return whole
  const trimmed = await trim(sent, { wish, turn })
  // What was stored is what was asked: another model may ask for no less than the one before it.
  const isStored = wish.metadata.historySequence !== undefined
  return trimmed ?? (isStored ? null : await trim(sent, { wish: askingForHeads(wish), turn })) ?? whole
}

interface Asking {
  readonly wish: Row
  readonly turn: TurnSettings
}

/** As few of the oldest rows left out as need be; null where nothing but the wish would fit. */
async function trim(sent: readonly Row[], asking: Asking): Promise<CompactionRequest | null> {
  const cuts = [...sent.keys()].filter((index) => index === 0 || mayBegin(sent[index], sent[index - 1]))
  // Fewer rows are never more tokens, so the least number to leave out is found by halving.
  let [tooFew, enough] = [-1, cuts.length]
  let best: CompactionRequest | null = null
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2)
    const tried = await tryFrom(sent, cuts[middle] ?? sent.length, asking)
    if (tried.request.kind === 'prepared') [enough, best] = [middle, tried]
    else tooFew = middle
  }
  return best
}

async function tryFrom(sent: readonly Row[], trimmed: number, { wish, turn }: Asking): Promise<CompactionRequest> {
  const rows = [...sent.slice(trimmed), wish]
  return { rows, trimmed, request: await prepareRequest(rows, turn, 'compaction') }
}

/** False for a row that goes on in the middle of a part: half a thought has a signature that no endpoint takes. */
function mayBegin(row: Row | undefined, before: Row | undefined): boolean {
  const { continues, startsPart } = row?.metadata ?? {}
  return continues === undefined || continues !== before?.id || startsPart === true
}
