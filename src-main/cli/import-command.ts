// Owns `tidemark import`: a conversation from a file becomes a new workspace of a project.
import { importHistory } from '../history/import-history'
import { openProject } from '../session/projects'
import { callerPath, parseCommand } from './arguments'
import { openApp } from './command-context'
import type { CommandContext } from './command-context'
import { NO_SHELL } from './no-shell'
import { EXIT, usageError } from './output'

const OPTIONS = { format: { type: 'string' }, project: { type: 'string' }, json: { type: 'boolean' } } as const

export async function importCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { output, environment } = context
  const parsed = parseCommand(args, OPTIONS)
  if (!parsed.ok) return usageError(output, 'flag', parsed.error)
  const { format, project } = parsed.value.values
  const [file, ...rest] = parsed.value.positionals
  if (format !== 'tidemark' && format !== 'pi') return usageError(output, 'format', '--format takes tidemark or pi.')
  if (file === undefined || rest.length > 0) return usageError(output, 'file', 'name one file to import.')
  if (project === undefined) return usageError(output, 'project', 'name the project folder with --project DIR.')
  const app = await openApp(context)
  try {
    const { settings, sessions, clock } = app.services
    const opened = await openProject(settings, callerPath(project, environment), clock.now())
    if (!opened.ok) return usageError(output, 'project', opened.error)
    const created = await sessions.create({
      projectId: opened.value.id,
      projectPath: opened.value.path,
      model: settings.settings().defaultModel,
      agentId: settings.settings().defaultAgent
    })
    if (!created.ok) return usageError(output, 'workspace', created.error)
    const { workspaceId } = created.value
    const session = await sessions.open(workspaceId)
    if (!session.ok) return usageError(output, 'workspace', session.error)
    const imported = await importHistory({
      store: session.value.store,
      workspaceDir: session.value.folder,
      format,
      path: callerPath(file, environment),
      newId: () => crypto.randomUUID()
    })
    if (!imported.ok) {
      await sessions.remove(workspaceId, NO_SHELL.moveToTrash)
      return usageError(output, 'file', imported.error.message)
    }
    await session.value.adoptImport()
    const { rows, skipped } = imported.value
    output.event({ type: 'imported', workspaceId, rows, skipped })
    output.text(
      `${rows} rows are in workspace ${workspaceId}${skipped === 0 ? '' : `; ${skipped} lines could not be used`}.\n`
    )
    return EXIT.done
  } finally {
    await app.close()
  }
}
