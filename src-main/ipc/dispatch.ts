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

export type Dispatch = (name: string, input: unknown) => Promise<Answer<unknown>>

/** Makes the dispatcher over a complete table of handlers. */
export function createDispatch(handlers: Handlers, log: Log): Dispatch {
  return async (name, input) => {
    if (!isRequestName(name)) return err(failure('invalid-input', `There is no request named “${name.slice(0, 100)}”.`))
    try {
      return await handle(handlers, name, input)
    } catch (bug) {
      if (systemCodeOf(bug) !== null) return err(failure('io', fileErrorOf(bug, 'do this', pathOf(bug)).message))
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
    const field = issue === undefined || issue.path.length === 0 ? 'the input' : issue.path.join('.')
    return err(failure('invalid-input', `${name}: ${field} cannot be used (${issue?.message ?? 'wrong form'}).`))
  }
  // The table ties each name to its input and its handler; TypeScript cannot follow that through an index.
  const handler = handlers[name] as (input: unknown) => Promise<Answer<unknown>>
  return handler(parsed.data)
}

function pathOf(systemError: unknown): string {
  return systemError instanceof Error && 'path' in systemError ? String(systemError.path) : 'a file'
}

/** A failure of this kind, with its sentence. */
export function failure(kind: RequestFailure['kind'], message: string): RequestFailure {
  return { kind, message }
}
