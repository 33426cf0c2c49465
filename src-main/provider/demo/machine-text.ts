// Owns telling the app's own texts from the person's, by their words: a provider sees no metadata. Follows the words
// of those rows (W-1 warning, R-1 lead-in, M-3 continue …); a text that fits none is the person's.

export type SegmentKind = 'person' | 'warning' | 'lead-in' | 'continue' | 'notice' | 'attachment' | 'summary'

/** How the demo's own summaries begin; a compaction sends them back as the user's text (L-4). */
export const SUMMARY_START = 'Summary of the conversation so far'

/** A machine text explains itself in several sentences; a person's question about windows is shorter. */
const MIN_MACHINE_CHARS = 120

export function segmentKindOf(text: string): SegmentKind {
  const trimmed = text.trim()
  if (/^(?:please\s+)?(?:continue|go on|carry on|resume|keep going)\b[^\n?]{0,200}$/i.test(trimmed)) {
    return namesMore(trimmed) ? 'person' : 'continue'
  }
  if (/^Attached file .+:\n|^\[The attachment .+ is no longer on disk\.\]$/.test(trimmed)) return 'attachment'
  if (/^[^\n]+, (?:mentioned in|loaded by) the next message\b/.test(trimmed)) return 'attachment'
  if (/^\(The conversation begins with an earlier answer\.\)$/.test(trimmed)) return 'notice'
  if (trimmed.startsWith(SUMMARY_START)) return 'summary'
  if (trimmed.length < MIN_MACHINE_CHARS) return 'person'
  if (isLeadIn(trimmed)) return 'lead-in'
  if (isWarning(trimmed)) return 'warning'
  if (/^[^\n]+ changed on disk since you last saw (?:it|them)\./.test(trimmed)) return 'notice'
  return 'person'
}

/** A result without the skills that it points out (O-5): before those, JSON became text on one line. */
export function withoutSkillPointers(text: string): unknown {
  const end = text.indexOf('\n\n[The skill “')
  if (end === -1) return text
  const result = text.slice(0, end)
  try {
    return JSON.parse(result) as unknown
  } catch (cause) {
    if (cause instanceof SyntaxError) return result
    throw cause
  }
}

/** The request that a lead-in quotes behind the id of its row; empty when it quotes none. */
export function leadInRequest(text: string): string {
  return /\(m:.+?\): “([^”]*?)…?”/.exec(text)?.[1]?.trim() ?? ''
}

function isLeadIn(text: string): boolean {
  return /\bw:(?:\d+|m:)/.test(text) && /\bwindow\b/i.test(text) && /session_history|roll|reset|fresh|new/i.test(text)
}

function isWarning(text: string): boolean {
  const speaksOfFilling = /\btokens?\b/i.test(text) && /\b(?:window|context)\b/i.test(text)
  const asksForNotes = /\bnotes?\b|session_history|context-notes/i.test(text)
  return speaksOfFilling && asksForNotes && /roll(?:s|ed|ing)?[ -]?over|rollover|new window|fresh window/i.test(text)
}

/** "Continue with the tests" is a request; "Continue the task" is not. */
function namesMore(text: string): boolean {
  const rest = text.replace(/^(?:please\s+)?(?:continue|go on|carry on|resume|keep going)/i, '')
  return /\b(?:with|by|in|from)\b/i.test(rest) && !/\b(?:where|task|work|turn|that|this|it|left)\b/i.test(rest)
}
