// Owns the arguments of a command about one workspace, which it names with --workspace ID and nothing else.
import type { App } from '../create-app'
import { parseCommand } from './arguments'
import { checkWorkspace, type CommandContext, openApp } from './command-context'
import { usageError } from './output'

const OPTIONS = { workspace: { type: 'string' }, json: { type: 'boolean' } } as const

/** Runs `task` with the workspace that the arguments name; wrong use is said, with its exit code. */
export async function withNamedWorkspace(
  args: readonly string[],
  context: CommandContext,
  task: (app: App, workspaceId: string) => Promise<number>
): Promise<number> {
  const { output } = context
  const parsed = parseCommand(args, OPTIONS)
  if (!parsed.ok) return usageError(output, 'flag', parsed.error)
  const { workspace } = parsed.value.values
  const [stray] = parsed.value.positionals
  if (stray !== undefined) return usageError(output, 'arguments', `“${stray}” belongs to no flag.`)
  if (workspace === undefined) return usageError(output, 'workspace', 'name the workspace with --workspace ID.')
  const app = await openApp(context)
  try {
    const known = await checkWorkspace(app, workspace)
    return known.ok ? await task(app, workspace) : usageError(output, 'workspace', known.error)
  } finally {
    await app.close()
  }
}
