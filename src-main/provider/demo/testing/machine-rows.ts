// For tests of the demo: the app's own texts as a conversation holds them, made by the code that makes them there.
// That code stands above the provider layer, so that only tests may use it here.
import { isKnownPart, type NewRow } from '@common/rows/row-schema'
import { quoteOf } from '@common/rows/owning-request'
import { warningRow } from '../../../context/budget-warning'
import { continueRow } from '../../../context/continue-row'
import { leadInText, type LeadInFacts } from '../../../context/lead-in'
import { changeNoticeRow } from '../../../session/change-notice'
import { loadedSkillRow } from '../../../session/loaded-skill'

/** The warning of a window of 20 000 tokens that holds 9 500. */
export function warningOf(mayWriteNotes: boolean): string {
  const [contextTokens, rolloverPoint, maxTokens] = [9_500, 15_000, 20_000]
  const facts = { rowId: 'm-8', warningId: 'w-1', nowMs: 1, contextTokens, rolloverPoint, maxTokens, mayWriteNotes }
  return textOf(warningRow(facts))
}

export const CONTINUE = textOf(continueRow('m-9', 1))

/** A skill that a message loads, about windows, tokens and notes. */
export const SKILL = textOf(skillRow('Write notes before the window w:0 is full of tokens and rolls over.'))

function skillRow(body: string): NewRow {
  const skill = {
    name: 'notes',
    description: 'When to write notes',
    body,
    source: 'project' as const,
    path: '.tidemark/skills/notes/SKILL.md',
    folder: '/project/.tidemark/skills/notes',
    isAbout: () => false
  }
  const row = loadedSkillRow('/notes', 'm-6', { skills: [skill], now: () => 1 })
  if (row === null) throw new Error('the skill has the name that is typed')
  return row
}

/** The lead-in of a window that goes on with this request, or begins with `input` instead. */
export function leadInOf(request: string, facts: Partial<LeadInFacts> & { readonly inputText?: string } = {}): string {
  const { inputText, ...others } = facts
  return leadInText({
    reason: inputText === undefined ? 'mid-stream' : 'on-send',
    previousWindowId: 'w:0',
    interrupted: quoteOf(asked('m-1', request)),
    input: inputText === undefined ? null : quoteOf(asked('m-5', inputText)),
    notesCarried: true,
    sealedResult: null,
    ...others
  })
}

/** The notice that a file which the model saw was deleted. */
export function changeNoticeOf(path: string): string {
  const seen = { path, content: 'hash', bytes: 10, mtimeMs: 1, seenAtMs: 1 }
  const now = { path, content: 'none', seenAtMs: 2 }
  return textOf(changeNoticeRow([{ before: seen, now, difference: { kind: 'none' } }], 'm-7', 2))
}

function asked(id: string, text: string): NewRow {
  return { id, role: 'user', parts: [{ type: 'text', text }], metadata: { timestamp: 1 } }
}

function textOf({ parts }: NewRow): string {
  return parts.flatMap((part) => (isKnownPart(part) && part.type === 'text' ? [part.text] : [])).join('\n')
}
