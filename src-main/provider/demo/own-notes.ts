// Owns reading the demo's own notes back: a fresh window has them in its system text (N-1). Pure.
import { NOTES_PATH } from '@common/memory/notes-path'
import type { Conversation } from './read-conversation'
import { quoteOf } from './wording'

/** How the notes name the request that they belong to. */
export function requestLine(task: string): string {
  return `Request: ${quoteOf(task, 300)}`
}

/** What the notes say was done for this very request, a line each as they were written; empty without such notes. */
export function doneInNotes({ system, task }: Conversation): string[] {
  const notes = system.split(`<memory path="${NOTES_PATH}"`)[1]?.split('</memory>')[0] ?? ''
  if (!plain(notes).includes(plain(requestLine(task)))) return []
  const done = /\n## Done\n([^]*?)\n\n/.exec(notes)?.[1] ?? ''
  return done.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []))
}

/** A lead-in quotes a request with other marks inside it. */
function plain(text: string): string {
  return text.replace(/[“”]/g, '"')
}
