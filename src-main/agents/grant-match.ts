// Owns what "allow for the workspace" would remember of a call, and whether a call is covered by what was
// remembered. Pure. A granted beginning covers plain commands only: nothing that the shell would expand,
// redirect or split, so that `npm test; rm -rf x` is not `npm test`.
import { knownGrantOf, type KnownGrant, type WorkspaceGrant } from '@common/agents/workspace-grant'
import { plainWordsOf } from './plain-command'

/** Programs whose first word after the name says what is done; any other is granted as the exact line only. */
const SUBCOMMAND_PROGRAMS: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun npx cargo go git make just task gradle mvn dotnet pytest poetry uv bundle rake mix swift deno'.split(
    ' '
  )
)

/** Their second word only names a script: the third says which. */
const SCRIPT_WORDS: ReadonlySet<string> = new Set(['run', 'run-script', 'exec', 'x', 'dlx'])

/** Subcommands that run or fetch anything, so that a granted beginning would mean everything. */
const OPEN_ENDED: ReadonlySet<string> = new Set([
  'eval',
  'config',
  'alias',
  '-c',
  '-e',
  '-C',
  'submodule',
  'filter-branch'
])

/** What a person could allow for the workspace; null when the call cannot be granted. */
export function grantFor(toolName: string, command: string | null): KnownGrant | null {
  if (command === null) return { kind: 'tool', toolName }
  const words = prefixOf(command)
  return words === null ? { kind: 'command', toolName, command } : { kind: 'command-prefix', toolName, words }
}

/** True when one of the grants covers the call. What always asks must be decided before. */
export function isGranted(grants: readonly WorkspaceGrant[], toolName: string, command: string | null): boolean {
  return grants.some((stored) => {
    const grant = knownGrantOf(stored)
    return grant !== null && grant.toolName === toolName && covers(grant, command)
  })
}

function covers(grant: KnownGrant, command: string | null): boolean {
  switch (grant.kind) {
    case 'tool':
      return command === null
    case 'command':
      return command === grant.command
    case 'command-prefix': {
      const words = command === null ? null : plainWordsOf(command)
      return words !== null && grant.words.every((word, index) => words[index] === word)
    }
  }
}

function prefixOf(command: string): string[] | null {
  const words = plainWordsOf(command)
  const [program, second, third] = words ?? []
  if (program === undefined || second === undefined || !SUBCOMMAND_PROGRAMS.has(program)) return null
  if (second.startsWith('-') || OPEN_ENDED.has(second)) return null
  if (!SCRIPT_WORDS.has(second)) return [program, second]
  return third === undefined || third.startsWith('-') ? null : [program, second, third]
}
