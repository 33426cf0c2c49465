// Owns the one browser of an open workspace's history: it remembers between calls what saves reading again.
import { HistoryBrowser } from '../history-search/history-browser'
import type { OpenedSession, SessionDeps } from './session-deps'

const browsers = new WeakMap<OpenedSession['history'], HistoryBrowser>()

/** The history of the workspace that is open; read between its own appends. */
export function historyOf(deps: Pick<SessionDeps, 'fs' | 'installKey'>, opened: OpenedSession): HistoryBrowser {
  const known = browsers.get(opened.history)
  if (known !== undefined) return known
  const browser = new HistoryBrowser({
    workspaceId: opened.workspace.file.id,
    workspaceDir: opened.paths.root,
    reader: opened.history,
    fs: deps.fs,
    key: () => deps.installKey()
  })
  browsers.set(opened.history, browser)
  return browser
}
