// Owns the projection of the next request from the last measured one (E-1). Pure.
import { ESTIMATE_CHARS_PER_TOKEN, IMAGE_TOKEN_ESTIMATE } from '../constants'
import { isKnownPart } from '../rows/row-schema'
import type { RowPart, TokenUsage } from '../rows/row-schema'
import { readSkillPointers } from '../rows/skill-pointer'
import { contentItemsOf } from '../rows/tool-media'
import type { MediaItem, TextItem } from '../rows/tool-media'
import { contextTokensOf } from './usage'

/** What a provider's usage never counted: results of the tools that the step called. */
export interface UnsentTail {
  readonly toolResultChars: number
  readonly imageParts: number
}

/** The tail that the parts of a settled step leave behind. */
export function unsentTailOf(parts: readonly RowPart[]): UnsentTail {
  let toolResultChars = 0
  let imageParts = 0
  for (const part of parts) {
    if (!isKnownPart(part) || part.type !== 'dynamic-tool') continue
    const items = contentItemsOf(part.output)
    imageParts += items?.filter(({ type }) => type === 'media').length ?? 0
    toolResultChars += items === null ? (JSON.stringify(part.output)?.length ?? 0) : charsOf(items)
    toolResultChars += part.errorText?.length ?? 0
    for (const { text } of readSkillPointers(part.skillPointers)) toolResultChars += text.length
  }
  return { toolResultChars, imageParts }
}

/** Tokens of a request's unsent tail, roughly: characters by four, images at their allowance. */
export function tailTokensOf(tail: UnsentTail): number {
  return Math.ceil(tail.toolResultChars / ESTIMATE_CHARS_PER_TOKEN) + IMAGE_TOKEN_ESTIMATE * tail.imageParts
}

/** Tokens that the next request will hold, from this one's usage and what it has not sent yet. */
export function projectUsage(usage: TokenUsage, tail: UnsentTail): number {
  return contextTokensOf(usage) + usage.outputTokens + tailTokensOf(tail)
}

function charsOf(items: readonly (MediaItem | TextItem)[]): number {
  return items.reduce((chars, item) => chars + (item.type === 'text' ? item.text.length : 0), 0)
}
