// Prepares a conversation for an end-to-end test: a scripted provider on the loopback, a home that names
// it, the app opened on a project. A request that the provider refused fails the test.
import { expect } from '@playwright/test'
import {
  startScriptedServer,
  type ScriptedServer,
  type ScriptedServerOptions
} from '../../src-main/provider/testing/scripted-server'
import { test as base, writeFiles, type Files, type LaunchOptions, type RunningApp } from './launch-app'

export interface ConversationOptions extends ScriptedServerOptions {
  /** Files of the project. */
  readonly files?: Files
  /** Fields of config.json besides the model. */
  readonly config?: Readonly<Record<string, unknown>>
  /** Context limit of the model; the others of a provider entry stay as a person would leave them. */
  readonly contextLimit?: number
  readonly launch?: LaunchOptions
}

export interface Conversation extends RunningApp {
  readonly server: ScriptedServer
  readonly project: string
}

interface SessionFixtures {
  readonly serve: (options?: ScriptedServerOptions) => Promise<ScriptedServer>
  /** A scripted provider, a home that names it as its default, and the app opened on a project. */
  readonly converse: (options?: ConversationOptions) => Promise<Conversation>
  /** What the scripted providers are known to have refused; anything else fails the test. */
  readonly refusalsExpected: boolean
}

/** The model that `converse` sets up. */
export const TEST_MODEL = 'scripted:test-model'

export const test = base.extend<SessionFixtures>({
  refusalsExpected: [false, { option: true }],
  serve: async ({ refusalsExpected }, use) => {
    const servers: ScriptedServer[] = []
    await use(async (options) => {
      const server = await startScriptedServer(options)
      servers.push(server)
      return server
    })
    for (const server of servers) await server.close()
    if (!refusalsExpected) expect(servers.flatMap((server) => server.problems)).toEqual([])
  },
  converse: async ({ folder, serve, launch }, use) => {
    await use(
      async ({ files = { 'README.md': '# hello\n' }, config, contextLimit, launch: options, ...script } = {}) => {
        const server = await serve(script)
        const project = await folder(files)
        const home = options?.home ?? (await folder())
        await writeHome(home, server, { contextLimit: contextLimit ?? 200_000, config: config ?? {} })
        const running = await launch({ project, ...options, home })
        await expect(running.page.getByTestId('composer')).toBeVisible()
        return { ...running, server, project }
      }
    )
  }
})

/** Writes what a person with one provider has in the home: providers.json with its key, config.json. */
export async function writeHome(
  home: string,
  server: ScriptedServer,
  options: { readonly contextLimit: number; readonly config: Readonly<Record<string, unknown>> }
): Promise<void> {
  const models = [{ id: 'test-model', contextLimit: options.contextLimit, maxOutputTokens: 8_000 }]
  const provider = { id: 'scripted', kind: 'anthropic', baseUrl: server.baseUrl, apiKey: 'sk-scripted', models }
  await writeFiles(home, {
    'providers.json': JSON.stringify({ providers: [provider] }),
    'config.json': JSON.stringify({ defaultModel: TEST_MODEL, ...options.config })
  })
}
