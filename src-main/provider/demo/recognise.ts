// Owns understanding a request: its clauses, each as an intent. What is not understood stays `unknown`, with
// the words worth searching for; remarks beside an understood request ("keep it short") are passed over.
import { type Clause, clauseOf, clausesOf } from './clauses'
import type { Intent } from './intent'
import { recogniseFiles } from './recognise-files'
import { recogniseTalk } from './recognise-talk'
import { recogniseCommands, recogniseProject } from './recognise-work'
import { salientWords } from './salient-words'

/** More would not fit into a small window; the rest is told. */
const MAX_INTENTS = 8

export function recognise(request: string): Intent[] {
  const whole = request.trim()
  if (asksForSummary(whole)) return [{ kind: 'summarise' }]
  const found: Intent[] = []
  let lastPath: string | null = null
  for (const spoken of clausesOf(whole)) {
    const clause = withPronoun(spoken, lastPath)
    lastPath = clause.paths.at(-1) ?? lastPath
    const intent =
      recogniseTalk(clause) ?? recogniseCommands(clause) ?? recogniseFiles(clause) ?? recogniseProject(clause)
    const before = found.at(-1)
    if (intent === null || (intent.kind === 'thanks' && found.length > 0)) continue
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(intent)) continue
    found.push(intent)
  }
  const asked = found.length > 1 ? found.filter((intent) => intent.kind !== 'help' && intent.kind !== 'thanks') : found
  if (asked.length > 0) return asked.slice(0, MAX_INTENTS)
  const paths = clausesOf(whole).flatMap((clause) => clause.paths)
  return [{ kind: 'unknown', text: whole, words: salientWords(whole, 3), paths: paths.slice(0, 2) }]
}

/** The app's own request for a compaction is a long text about the conversation, whatever its words. */
function asksForSummary(text: string): boolean {
  const isLong = text.length > 160
  return isLong && /\bsummar/i.test(text) && /\b(?:conversation|session|transcript|context|window)\b/i.test(text)
}

/** "… in it", "the file": the file named before. */
function withPronoun(clause: Clause, path: string | null): Clause {
  if (path === null || clause.paths.length > 0) return clause
  const masked = clause.masked.replace(
    /\b(?:it|there|(?:that|this|the|the same|the new) file)\b(?=[\s.,;!?]*$|\s+(?:and|with|to)\b)/i,
    path
  )
  return masked === clause.masked ? clause : clauseOf(masked, clause.spans)
}
