// Owns the one way in: a name and an untrusted input, a typed answer out. Every input is parsed by the
// contract; a bug becomes an `internal` answer and a line in the log, never a crash or a hang.
import type { Answer, RequestFailure } from '@common/contract/bridge'
import { isRequestName, REQUESTS } from '@common/contract/requests'
import type { ParsedInput, RequestName, RequestOutput } from '@common/contract/requests'
import { err } from '@common/result'
import type { Result } from '@common/result'
import { fileErrorOf, systemCodeOf } from '../files/file-error'
import type { Log } from '../files/log'

/** A missing handler does not compile. */
export type Handlers = {
  readonly [Name in RequestName]: (input: ParsedInput<Name>) => Promise<Result<RequestOutput<Name>, RequestFailure>>
}

/** Both come from outside, whatever a bridge says of them. */
export type Dispatch = (name: unknown, input: unknown) => Promise<Answer<unknown>>

/** Messages quote what came in, a path or an id; a toast shows no more of it. */
const MAX_MESSAGE_CHARS = 800

/** Makes the dispatcher over a complete table of handlers. */
export function createDispatch(handlers: Handlers, log: Log): Dispatch {
  return async (name, input) => {
    if (typeof name !== 'string') return err(failure('invalid-input', 'The name of a request must be a text.'))
    if (!isRequestName(name)) return err(failure('invalid-input', `There is no request named “${name.slice(0, 100)}”.`))
    try {
      const answer = await handle(handlers, name, input)
      return answer.ok ? answer : err(failure(answer.error.kind, shortened(answer.error.message)))
    } catch (bug) {
      if (systemCodeOf(bug) !== null)
        return err(failure('io', shortened(fileErrorOf(bug, 'do this', pathOf(bug)).message)))
      log.error('request-broke', { name, error: String(bug), stack: bug instanceof Error ? bug.stack : '' })
      return err(
        failure(
          'internal',
          'Tidemark made a mistake and could not do this; the log in the home folder holds the details.'
        )
      )
    }
  }
}

async function handle(handlers: Handlers, name: RequestName, input: unknown): Promise<Answer<unknown>> {
  const parsed = REQUESTS[name].input.safeParse(input)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = issue === undefined || issue.path.length === 0 ? 'the input' : issue.path.map(String).join('.')
    return err(failure('invalid-input', `${name}: ${field} cannot be used (${issue?.message ?? 'wrong form'}).`))
  }
  // The table ties each name to its input and its handler; TypeScript cannot follow that through an index.
  const handler = handlers[name] as (input: unknown) => Promise<Answer<unknown>>
  return handler(parsed.data)
}

function shortened(message: string): string {
  return message.length <= MAX_MESSAGE_CHARS ? message : `${message.slice(0, MAX_MESSAGE_CHARS)}…`
}

function pathOf(systemError: unknown): string {
  return systemError instanceof Error && 'path' in systemError ? String(systemError.path) : 'a file'
}

/** A failure of this kind, with its sentence. */
export function failure(kind: RequestFailure['kind'], message: string): RequestFailure {
  return { kind, message }
}
