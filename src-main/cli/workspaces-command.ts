// Owns `tidemark workspaces`: every workspace of the home, newest first.
import { parseCommand } from './arguments'
import { openApp } from './command-context'
import type { CommandContext } from './command-context'
import { EXIT, usageError } from './output'

export async function workspacesCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { output } = context
  const parsed = parseCommand(args, { json: { type: 'boolean' } })
  if (!parsed.ok) return usageError(output, 'flag', parsed.error)
  const app = await openApp(context)
  for (const { workspaceId, title, projectPath, model, updatedAtMs, rows } of await app.services.sessions.list()) {
    output.event({ workspaceId, title, projectPath, model, updatedAtMs, rows })
    output.text(
      `${workspaceId}  ${new Date(updatedAtMs).toISOString().slice(0, 16)}  ${rows} rows  ${title}  (${projectPath})\n`
    )
  }
  await app.close()
  return EXIT.done
}
