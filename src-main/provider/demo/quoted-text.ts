// Owns quotes in a request: each quoted span becomes a mark `⟦n⟧`, so that sentences can be taken apart
// without cutting through a command or a content, and is put back where it is used.

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

/** What stands after "run:", and lists after "to-do list:" or "ask me …:", belong together up to the end of the line. */
const COMMAND_LINE = /(?<=\b(?:run|execute|command):[ \t]+|^\$ )([^\n⟦]+)$/gim
const LIST =
  /(?<=\b(?:list|todos?|to-dos?|options?|choices?|items|plan|steps|ask me)\b[^:\n⟦]{0,60}:)[ \t]*((?:[^\n]+)|(?:\s*\n\s*(?:[-*•]|\d+[.)]) [^\n]+)+)/gi
const FACT =
  /(?<=\b(?:remember|memori[sz]e|keep in mind|note down)\b[,:]?[ \t]+(?:that[ \t]+)?)([^\n]+?)(?=[.!]?(?:\s+(?:then|now|after)\b|\s*$|\.\s+\p{Lu}))/giu

export function maskQuotes(text: string): QuotedText {
  const spans: QuotedSpan[] = []
  const quotesMasked = text.replace(QUOTES, (_all, fence?: string, code?: string, ...words: unknown[]) => {
    const quoted = words.slice(0, 4).find((word) => typeof word === 'string')
    const inner = fence?.replace(/\n$/, '') ?? code ?? quoted ?? ''
    spans.push({ text: inner, form: fence === undefined && code === undefined ? 'words' : 'code' })
    return ` ⟦${spans.length - 1}⟧ `
  })
  const keep = (form: QuotedSpan['form']) => (_all: string, inner: string) => {
    // A span holds plain text: marks inside of it are put back first.
    spans.push({ text: unmask(inner, spans), form })
    return ` ⟦${spans.length - 1}⟧ `
  }
  const masked = quotesMasked
    .replace(COMMAND_LINE, keep('code'))
    .replace(LIST, keep('words'))
    .replace(FACT, keep('words'))
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
