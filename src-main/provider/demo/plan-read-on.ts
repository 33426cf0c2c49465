// Owns reading many files on after a rollover: what was read is known from the notes, then from the history, and is not
// read again; it would fill this window as it filled the last one.
import { type DemoCall, type DemoPlan, callOne, whyNot } from './demo-call'
import { doneInNotes } from './own-notes'
import { filesToRead, readOneByOne } from './plan-read'
import type { Conversation } from './read-conversation'
import { hitsOf } from './tool-facts'
import { bullets, code, plural } from './wording'

export function* planReadOn(pattern: string, conversation: Conversation): DemoPlan {
  const wanted = yield* filesToRead(pattern)
  if (wanted.kind === 'none') return wanted.why
  const noted = new Set(doneInNotes(conversation).flatMap((line) => /^file_read “(.+?)”: \d/.exec(line)?.[1] ?? []))
  let [known, byNotes] = [0, 0]
  // They are read in order: the first one that neither knows ends what was read.
  for (const path of wanted.paths) {
    if (noted.has(path)) byNotes++
    else {
      const found = yield* callOne(searchFor(path), {
        think: `The window rolled over while I was reading files. The history says whether ${path} was read.`
      })
      if (found.kind !== 'done')
        return `I cannot tell which files I had read (${whyNot(found, 'session_history')}). Ask for fewer of them at once, and I begin anew.`
      if (!hitsOf(found).some(({ tool_name }) => tool_name === 'file_read')) break
    }
    known++
  }
  const lines = yield* readOneByOne(wanted.paths.slice(known))
  const before = `${plural(known, 'file')} matching ${code(pattern)} I had read before this window began (${byNotes} by my notes, ${known - byNotes} by the history); their text is kept there word for word.`
  const read =
    lines.length === 0
      ? 'There is no other.'
      : `In this window I read ${plural(lines.length, 'file')}:\n\n${bullets(lines)}`
  return `${before} ${read}${wanted.left}`
}

/** Some hits more than one: the searches before this one hold the same words. */
function searchFor(path: string): DemoCall {
  return {
    toolName: 'session_history',
    input: { action: 'search', query: `file_read {"path":"${path}"`, limit: 8 }
  }
}
