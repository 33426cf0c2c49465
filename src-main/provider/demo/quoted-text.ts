// Owns quotes in a request: each quoted span becomes a mark `⟦n⟧`, so that sentences can be taken apart
// without cutting through a command or a content, and is put back where it is used.
import { commandLinesIn } from './programs'

export interface QuotedText {
  /** The text with marks. */
  readonly masked: string
  readonly spans: readonly QuotedSpan[]
}

export interface QuotedSpan {
  readonly text: string
  /** `code`: backticks or a fence; `words`: any other quotes. */
  readonly form: 'code' | 'words'
}

/** Fences, backticks, double and curly quotes; single ones only around words, since apostrophes are no quotes. */
const QUOTES =
  /```[\w+-]*\n?([\s\S]*?)```|`([^`\n]+)`|“([^”]+)”|"([^"]+)"|«([^»]+)»|(?<=^|[\s(:])'([^'\n]+)'(?=$|[\s).,;:!?])/g

/** Lists after "to-do list:" or "ask me …:", belong together up to the end of the line. */
const LIST =
  /(?<=\b(?:list|todos?|to-dos?|options?|choices?|items|plan|steps|ask me)\b[^:\n⟦]{0,60}:)[ \t]*((?:[^\n]+)|(?:\s*\n\s*(?:[-*•]|\d+[.)]) [^\n]+)+)/gi
const FACT =
  /(?<=\b(?:remember|memori[sz]e|keep in mind|note down)\b[,:]?[ \t]+(?:that[ \t]+)?)([^\n]+?)(?=[.!]?(?:\s+(?:then|now|after)\b|\s*$|\.\s+\p{Lu}))/giu

export function maskQuotes(text: string): QuotedText {
  const spans: QuotedSpan[] = []
  const mark = (span: QuotedSpan): string => {
    spans.push(span)
    return ` ⟦${spans.length - 1}⟧ `
  }
  // A list or a fact may hold quotes: marks inside of it are put back first.
  const keep = (_all: string, inner: string): string => mark({ text: unmask(inner, spans), form: 'words' })
  const masked = text
    .replace(commandLinesIn(), (_all, line?: string, command?: string) => {
      // Exactly as typed, but for backticks or quotes around the whole of it.
      const typed = (line ?? command ?? '').trim()
      return mark({ text: /^(?:`([^`]+)`|"([^"]+)")$/.exec(typed)?.slice(1).find(Boolean) ?? typed, form: 'code' })
    })
    .replace(QUOTES, (_all, fence?: string, code?: string, ...words: unknown[]) => {
      const quoted = words.slice(0, 4).find((word) => typeof word === 'string')
      const isCode = fence !== undefined || code !== undefined
      return mark({ text: fence?.replace(/\n$/, '') ?? code ?? quoted ?? '', form: isCode ? 'code' : 'words' })
    })
    .replace(LIST, keep)
    .replace(FACT, keep)
    .replace(/:\s*\n+\s*(?=⟦)/g, ': ')
    .replace(/[ \t]+/g, ' ')
  return { masked: masked.trim(), spans }
}

/** Marks of a piece of masked text, in order. */
export function spansIn(masked: string, spans: readonly QuotedSpan[]): QuotedSpan[] {
  return [...masked.matchAll(/⟦(\d+)⟧/g)].flatMap((match) => spans[Number(match[1])] ?? [])
}

/** Puts the quoted texts back, without their quotes. */
export function unmask(masked: string, spans: readonly QuotedSpan[]): string {
  return masked
    .replace(/ ?⟦(\d+)⟧ ?/g, (all, digits: string) => {
      const before = all.startsWith(' ') ? ' ' : ''
      return `${before}${spans[Number(digits)]?.text ?? ''}${all.endsWith(' ') ? ' ' : ''}`
    })
    .trim()
}
