// Owns how a request differs from the one before it: messages shared, added and gone, and the text of what changed first.
import type { InspectedContent } from '@common/contract/inspector-views'
import { MAX_INSPECTED_TEXT_CHARS } from '@common/constants'
import { changeDiff } from '../tools/change-diff'
import { systemTextOf, textOfPart } from './inspected-pieces'
import { prefixBreakText, prefixOf } from './logged-prefix'
import type { FirstChange } from './prefix-change'
import type { RebuiltRequest } from './rebuild-request'
import type { FoundRequest } from './request-index'

export function differenceOf(
  { logged, previous }: FoundRequest,
  now: RebuiltRequest,
  before: RebuiltRequest
): InspectedContent['difference'] {
  if (previous?.messages == null || logged.messages === null) return null
  const is = logged.messages.map(({ sha256 }) => sha256)
  const was = previous.messages.map(({ sha256 }) => sha256)
  const firstOther = is.findIndex((sha256, index) => was[index] !== sha256)
  const shared = firstOther === -1 ? is.length : firstOther
  const change = prefixOf(previous, logged)
  const [old, kept] = [new Set(was), new Set(is)]
  return {
    shared,
    added: is.filter((sha256) => !old.has(sha256)).length,
    removed: was.filter((sha256) => !kept.has(sha256)).length,
    first: change === null ? null : prefixBreakText(previous, logged, change),
    diff: change?.first == null ? '' : diffOf(change.first, now, before)
  }
}

/** Of texts as a person reads them; a model has none, and a part that is gone has none either. */
function diffOf({ part, index }: FirstChange, now: RebuiltRequest, before: RebuiltRequest): string {
  if (part === 'model') return ''
  const textIn = (rebuilt: RebuiltRequest): string | null =>
    part === 'system' ? systemTextOf(rebuilt) : textOfPart(rebuilt, { part, index: index ?? 0 })
  const [was, is] = [textIn(before), textIn(now)]
  if (was === null || is === null) return ''
  const [old, kept] = [was.slice(0, MAX_INSPECTED_TEXT_CHARS), is.slice(0, MAX_INSPECTED_TEXT_CHARS)]
  // With a line end, or the diff would speak of one that is missing.
  return changeDiff('', `${old}\n`, `${kept}\n`, MAX_INSPECTED_TEXT_CHARS).diff
}
