// Owns the product with a conversation whose provider plays a script: what a benchmark of turns starts from.
import type { Page } from '@playwright/test'
import type { Row } from '@common/rows/row-schema'
import { startScriptedServer, type ScriptedServer } from '../../src-main/provider/testing/scripted-server'
import type { TurnSource } from '../../src-main/provider/testing/scripted-turn'
import { builtApp } from './app-folder'
import { driveApp, type DrivenApp } from './driven-app'
import { temporaryFolder } from './temporary'
import { SCRIPTED_MODEL, writeHome, writeRows, writeWorkspace } from './written-home'

export interface ScriptedApp extends DrivenApp {
  readonly server: ScriptedServer
  readonly project: string
}

/** Starts the app on a home with these workspaces, by title; the first one is on screen. */
export async function startScriptedApp(
  workspaces: Readonly<Record<string, readonly Row[]>>,
  turns: readonly TurnSource[] = []
): Promise<ScriptedApp> {
  const server = await startScriptedServer({ turns, validate: false })
  const home = {
    home: temporaryFolder('home'),
    project: temporaryFolder('project'),
    providerUrl: server.baseUrl
  }
  writeHome(home)
  for (const [index, [title, rows]] of Object.entries(workspaces).entries()) {
    const about = { id: `ws-${index}`, title, updatedAtMs: 1_000 - index, model: SCRIPTED_MODEL, rows: rows.length }
    const settings = { approvalMode: 'auto' as const }
    const folder = writeWorkspace(home, { ...about, ...settings })
    if (rows.length > 0) writeRows(folder, rows)
  }
  const driven = await driveApp(builtApp(), { TIDEMARK_HOME: home.home })
  await driven.page.getByTestId('composer').waitFor()
  return {
    ...driven,
    server,
    project: home.project,
    async close() {
      await driven.close()
      await server.close()
    }
  }
}

/** Shows a workspace by its title. */
export async function showWorkspace(page: Page, title: string): Promise<void> {
  const item = page.getByTestId('sidebar-workspace').filter({ hasText: title })
  await item.click()
  await page.locator('[data-testid="sidebar-workspace"][aria-current="true"]', { hasText: title }).waitFor()
  await page.getByTestId('composer').waitFor()
}

/** Sends a message. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByTestId('composer').fill(text)
  await page.getByTestId('composer').press('Enter')
}

/** Waits until no turn runs. */
export async function untilIdle(page: Page): Promise<void> {
  await page.getByTestId('composer-stop').waitFor({ state: 'detached', timeout: 120_000 })
}
