// Owns taking a request apart into the things asked for, one clause each, courtesies taken off. Pure.
import { pathsIn } from './named-paths'
import { type QuotedSpan, maskQuotes, unmask } from './quoted-text'

export interface Clause {
  /** With marks for quoted spans, without courtesies. */
  readonly masked: string
  /** The same in lower case, marks kept. */
  readonly lower: string
  readonly spans: readonly QuotedSpan[]
  /** With the quoted texts put back. */
  readonly text: string
  readonly paths: readonly string[]
}

/** More is a pasted document, not a request: its beginning and its end are read. */
const MAX_REQUEST_CHARS = 4_000
const MAX_CLAUSES = 12

const VERBS =
  'run|execute|read|show|open|list|find|search|grep|tell|create|write|make|add|replace|change|rename|delete|remove|remember|summari[sz]e|explain|describe|count|ask|append|print|plan|check|look|fetch|give|report|say|recall|edit|update'

const COURTESY =
  /^(?:hey|hi|hello|ok(?:ay)?|so|now|well|and|also|but|please|kindly|first|firstly|second(?:ly)?|then|next|finally|lastly|after (?:that|this)|afterwards|tidemark|tide|(?:can|could|would|will) you(?: please)?|i(?:'d| would) (?:like|love) (?:you )?to|i (?:want|need) (?:you )?to|let(?:'|’)?s|you should|go ahead and|try to|just)[,!:]?\s+(?=\S)/i

export function clausesOf(request: string): Clause[] {
  const { masked, spans } = maskQuotes(shortened(request))
  const separators = new RegExp(
    [
      String.raw`\n+\s*(?:[-*•]\s+|\d+[.)]\s+)?`,
      String.raw`;\s+`,
      String.raw`(?<=[\p{L}\p{N}⟧)][.?!])\s+(?=[\p{Lu}⟦])`,
      String.raw`[,.]?\s+(?:and\s+)?(?:then|afterwards|after that|finally|lastly)[,]?\s+`,
      String.raw`,?\s+(?:and|&)\s+(?=(?:${VERBS})\b)`,
      String.raw`(?<!\b(?:in|inside|from|within)\s+\S{1,200}),\s+(?=(?:${VERBS})\b)`
    ].join('|'),
    'giu'
  )
  return masked
    .split(separators)
    .map((piece) => withoutCourtesy(piece.trim()))
    .filter((piece) => /[\p{L}\p{N}⟦$/]/u.test(piece))
    .slice(0, MAX_CLAUSES)
    .map((piece) => clauseOf(placeLast(piece), spans))
}

export function clauseOf(masked: string, spans: readonly QuotedSpan[]): Clause {
  return {
    masked,
    lower: masked.toLowerCase(),
    spans,
    text: unmask(masked, spans),
    paths: pathsIn(masked, spans)
  }
}

/** "In src/a.ts, replace x with y" as "replace x with y in src/a.ts". */
function placeLast(piece: string): string {
  const match = /^(?:in|inside|from|within)\s+(?:the (?:file|folder)\s+)?(\S+?),?\s+(?=[a-z]+\s)(.+)$/is.exec(piece)
  const [place, rest] = [match?.[1], match?.[2]]
  return place !== undefined && rest !== undefined && /[./⟦]/.test(place)
    ? `${rest.replace(/[.?!]+$/, '')} in ${place}`
    : piece
}

function withoutCourtesy(piece: string): string {
  let rest = piece
  for (let round = 0; round < 6; round++) {
    const shorter = rest.replace(COURTESY, '')
    if (shorter === rest) break
    rest = shorter
  }
  return rest.replace(/[\s,]*(?:\bplease\b)?[\s.!]*$/i, '').trim()
}

function shortened(request: string): string {
  if (request.length <= MAX_REQUEST_CHARS) return request
  const half = MAX_REQUEST_CHARS / 2
  return `${request.slice(0, half)}\n${request.slice(-half)}`
}
