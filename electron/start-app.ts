// Owns the bond between the shell and the app: loads createApp after the window was asked for and
// hands it what only a desktop has (keychain, dialogs, notifications).
import { join } from 'node:path'
import type { Answer } from '@common/contract/bridge'
import type { EventBatch } from '@common/contract/events'
import type { WindowState } from '@common/settings/settings-schema'
import { app, type BrowserWindow } from 'electron'
import { moveToTrash, notify, openExternal, pickFolder, pickSaveFile, revealFile } from './host'
import { keychainCipher } from './secrets'

export interface StartOptions {
  readonly home: string
  readonly projectPath: string | null
  readonly currentWindow: () => BrowserWindow | null
  readonly publish: (batch: EventBatch) => void
}

export interface StartedApp {
  dispatch(name: string, input: unknown): Promise<Answer<unknown>>
  saveWindowState(state: WindowState): Promise<void>
  /** Resolves when the last append is on disk. */
  close(): Promise<void>
}

/** Loads and composes the app. */
export async function startApp(options: StartOptions): Promise<StartedApp> {
  // Not a static import: evaluating the app would delay the window.
  const { createApp } = await import('../src-main/create-app')
  const { currentWindow } = options
  const running = await createApp({
    home: options.home,
    version: app.getVersion(),
    runtimeFallback: process.env['TIDEMARK_RUNTIME_FALLBACK'] === '1',
    openProjectPath: options.projectPath,
    cipher: keychainCipher(),
    tokenWorkerFile: join(__dirname, 'token-worker.cjs'),
    publish: options.publish,
    notify: (title, body, onClick) => notify(currentWindow, title, body, onClick),
    shell: {
      pickFolder: () => pickFolder(currentWindow),
      pickSaveFile: (suggestedName) => pickSaveFile(currentWindow, suggestedName),
      openExternal,
      revealFile,
      moveToTrash
    }
  })
  // Asked once ahead of the page, which still runs its script: its own question is then answered from memory.
  void running.dispatch('app.start', {})
  return {
    dispatch: (name, input) => running.dispatch(name, input),
    async saveWindowState(state) {
      const answer = await running.dispatch('settings.set', { path: 'window', value: state })
      if (!answer.ok) console.error(`the window's place was not saved: ${answer.error.message}`)
    },
    close: () => running.close()
  }
}
