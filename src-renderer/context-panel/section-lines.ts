// Owns the lines of what a request is made of: names, order and shares. Pure.
import type { ContextSections } from '@common/contract/context-views'

export interface SectionLine {
  readonly name: string
  readonly tokens: number
  /** Of the model's limit, such as `9 %`; empty where the limit is not known. */
  readonly share: string
  /** Not part of the request: room beside it. */
  readonly isQuiet: boolean
}

const NAMES: ReadonlyArray<readonly [keyof ContextSections['sections'], string]> = [
  ['system', 'System'],
  ['tools', 'Tools'],
  ['memories', 'Memories'],
  ['notes', 'Notes'],
  ['messages', 'Messages'],
  ['toolResults', 'Tool results'],
  ['files', 'Pictures and documents']
]

/** Every section, the empty ones too but for pictures; then what is kept for the answer and what is free. */
export function sectionLines(counted: ContextSections, maxTokens: number | null): SectionLine[] {
  const { sections, tokens, outputReserve } = counted
  const lineOf = (name: string, held: number, isQuiet: boolean): SectionLine => ({
    name,
    tokens: held,
    share: shareText(held, maxTokens),
    isQuiet
  })
  const lines = NAMES.filter(([section]) => section !== 'files' || sections.files > 0).map(([section, name]) =>
    lineOf(name, sections[section], false)
  )
  if (outputReserve !== null) lines.push(lineOf('Output reserve', outputReserve, true))
  if (outputReserve !== null && maxTokens !== null)
    lines.push(lineOf('Free', Math.max(0, maxTokens - outputReserve - tokens), true))
  return lines
}

function shareText(tokens: number, maxTokens: number | null): string {
  if (maxTokens === null || maxTokens === 0) return ''
  const percent = (tokens * 100) / maxTokens
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`
}
