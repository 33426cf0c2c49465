// Owns what every command gets, and the app as a command line composes it: no window, no keychain.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ok, err } from '@common/result'
import type { Result } from '@common/result'
import { createApp } from '../create-app'
import type { App, AppOptions } from '../create-app'
import { NO_SHELL } from './no-shell'
import type { Output } from './output'

export interface CommandContext {
  readonly output: Output
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/** Composes the app for a command; config problems are said on stderr at once. */
export async function openApp(
  context: CommandContext,
  options: Pick<AppOptions, 'personPresent' | 'settingsOverride'> = {}
): Promise<App> {
  const workerFile = join(__dirname, 'token-worker.cjs')
  const app = await createApp({
    home: context.home,
    version: '',
    runtimeFallback: false,
    openProjectPath: null,
    cipher: null,
    shell: NO_SHELL,
    publish: () => undefined,
    notify: () => undefined,
    tokenWorkerFile: existsSync(workerFile) ? workerFile : null,
    environment: context.environment,
    ...options
  })
  for (const notice of app.services.notices()) context.output.note(`tidemark: ${notice.message}`)
  return app
}

/** One workspace by id, or the sentence for a wrong one. */
export async function checkWorkspace(app: App, workspaceId: string): Promise<Result<string, string>> {
  const view = await app.services.sessions.view(workspaceId)
  return view === null
    ? err(`there is no workspace “${workspaceId}”; \`tidemark workspaces\` lists them.`)
    : ok(workspaceId)
}
