// Owns the ask_user tool: a question to the person, with a clear denial where nobody is there.
import { ok } from '@common/result'
import { defineTool, touchesNothing } from './define-tool'

export const askUser = defineTool('ask_user', {
  touch: (input) => Promise.resolve(ok(touchesNothing({ kind: 'other', text: input.question }))),
  async execute(input, run) {
    const answer = await run.ask(input.question, input.options ?? [])
    if (answer !== null) return { kind: 'done', output: { answer } }
    if (run.abortSignal.aborted) return { kind: 'interrupted', message: 'Stopped before the person answered.' }
    return { kind: 'denied', message: 'Nobody is there to answer: decide yourself, or stop and say what you need.' }
  }
})
