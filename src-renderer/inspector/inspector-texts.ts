// Owns the words and numbers of the inspector. Pure.
import type { InspectedPiece, InspectedRequest, LedgerLine, LedgerView } from '@common/contract/inspector-views'
import type { WindowView } from '@common/contract/window-views'
import { bytesText, costText, countText, tokensText } from '../ui/format'

/** `Turn`, `Summary`, and which attempt it was where it was not the first. */
export function kindText({ kind, attempt }: Pick<InspectedRequest, 'kind' | 'attempt'>): string {
  const name = kind === 'turn' ? 'Turn' : kind === 'compaction' ? 'Summary' : kind
  return attempt === 0 ? name : `${name}, retry ${attempt}`
}

/** `17.2k in · 62 % cached · 412 out`, or how it ended where nobody counted. */
export function figuresText(request: InspectedRequest): string {
  const { usage, hitShare } = request
  if (usage === null) return outcomeText(request)
  const input = usage.fresh + usage.cached + usage.written
  const share = hitShare === null ? [] : [`${percentText(hitShare)} cached`]
  return [`${tokensText(input)} in`, ...share, `${tokensText(usage.output)} out`].join(' · ')
}

export function outcomeText({ outcome, failure }: Pick<InspectedRequest, 'outcome' | 'failure'>): string {
  switch (outcome) {
    case 'answered':
      return 'answered'
    case 'failed':
      return failure === null ? 'failed' : `failed: ${failure.replaceAll(/[-_]/g, ' ')}`
    case 'interrupted':
      return 'stopped'
    case 'unknown':
      return 'no end noted'
  }
}

export function percentText(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** `58 KB of 61 KB`. */
export function prefixText(prefix: NonNullable<InspectedRequest['prefix']>): string {
  return `${bytesText(prefix.stableBytes)} of ${bytesText(prefix.totalBytes)}`
}

/** A price that is not known is said, never shown as nothing. */
export function priceText(costUsd: number | null): string {
  return costUsd === null ? 'not known' : costText(costUsd)
}

/** `Window 2`; by its id where the history has it no more. */
export function windowText(windows: readonly WindowView[], windowId: string): string {
  const at = windows.findIndex((each) => each.windowId === windowId)
  return at === -1 ? `Cut window ${windowId}` : `Window ${at + 1}`
}

/** What a piece is called in the list. */
export function pieceName({ part, label, index }: InspectedPiece): string {
  switch (part) {
    case 'system':
      return 'System text'
    case 'memories':
      return 'Memories'
    case 'notes':
      return 'Notes'
    case 'tool':
      return label
    case 'message':
      return `${index + 1} ${ROLES[label] ?? label}`
  }
}

const ROLES: Readonly<Record<string, string>> = { user: 'User', assistant: 'Assistant', tool: 'Tool results' }

/** Where a piece stands, as one text. */
export function pieceKey({ part, index }: Pick<InspectedPiece, 'part' | 'index'>): string {
  return `${part} ${index}`
}

/** `12 messages shared, 2 added, 1 gone`. */
export function differenceText(shared: number, added: number, removed: number): string {
  const gone = removed === 0 ? [] : [`${removed.toLocaleString('en')} gone`]
  return [`${countText(shared, 'message')} shared`, `${added.toLocaleString('en')} added`, ...gone].join(', ')
}

/** The cost of a line; at least that much where some price is not known. */
export function lineCostText({ costUsd, unpriced }: Pick<LedgerLine, 'costUsd' | 'unpriced'>): string {
  if (unpriced === 0) return costText(costUsd)
  return costUsd === 0 ? 'not known' : `at least ${costText(costUsd)}`
}

/** `Input, by bytes: system 3,200 · tools 21,000 · …`; what is nothing is not named. */
export function sectionsText(sections: NonNullable<LedgerView['windows'][number]['sections']>): string {
  const { system, tools, messages, toolResults } = sections
  const named = [
    ['system', system],
    ['tools', tools],
    ['messages', messages],
    ['tool results', toolResults]
  ] as const
  const parts = named
    .filter(([, tokens]) => tokens > 0)
    .map(([name, tokens]) => `${name} ${tokens.toLocaleString('en')}`)
  return `Input, divided by bytes: ${parts.join(' · ')}`
}

/** Rounding of sums over many rows. */
const SAME_USD = 1e-6

/** What the workspace says and its rows do not; null where they agree. */
export function elsewhereUsd({ total, workspaceUsd }: Pick<LedgerView, 'total' | 'workspaceUsd'>): number | null {
  const rest = workspaceUsd - total.costUsd
  return Math.abs(rest) < SAME_USD ? null : rest
}
