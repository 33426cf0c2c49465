// Owns what the list above the field holds: commands and skills that exist, or files that main finds for the word.
import { useEffect, useState } from 'react'
import { fileMention } from '@common/rows/file-mentions'
import { searchFiles } from '../store/actions/draft-actions'
import { loadCommands } from '../store/actions/project-actions'
import { useApp } from '../store/app-context'
import type { SlashCommand } from './slash-commands'
import type { Suggestion } from './suggestion-list'
import type { CaretToken } from './token-at-caret'

/** A pause in typing after which files are searched. */
const SEARCH_DELAY_MS = 60
const MAX_FILES = 12
const NONE: readonly Suggestion[] = []

/** Choices for the token; none without one. */
export function useSuggestions(
  workspaceId: string,
  token: CaretToken | null,
  commands: readonly SlashCommand[]
): readonly Suggestion[] {
  useFreshCommands(workspaceId, token?.kind === 'command')
  const files = useFiles(workspaceId, token?.kind === 'file' ? token : null)
  if (token === null) return NONE
  if (token.kind === 'file') return files
  return commands
    .filter((command) => command.name.startsWith(token.query))
    .map((command) => ({ insert: `/${command.name}`, label: `/${command.name}`, hint: command.description }))
}

/** Skills are files: each opening of the list looks what is there. */
function useFreshCommands(workspaceId: string, isOpen: boolean): void {
  const app = useApp()
  useEffect(() => {
    const workspace = app.store.getState().workspaces[workspaceId]
    if (isOpen && workspace !== undefined) void loadCommands(app, workspace.projectId)
  }, [app, workspaceId, isOpen])
}

function useFiles(workspaceId: string, token: CaretToken | null): readonly Suggestion[] {
  const app = useApp()
  const [found, setFound] = useState({ from: -1, files: NONE })
  const from = token?.from ?? null
  const query = token?.query ?? ''
  useEffect(() => {
    if (from === null) return
    let current = true
    const timer = setTimeout(async () => {
      const paths = await searchFiles(app, workspaceId, query)
      if (current) setFound({ from, files: paths.slice(0, MAX_FILES).map(fileSuggestion) })
    }, SEARCH_DELAY_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [app, workspaceId, from, query])
  // Files found for another place in the text are none for this one.
  return found.from === from ? found.files : NONE
}

function fileSuggestion(path: string): Suggestion {
  const slash = path.lastIndexOf('/')
  return { insert: fileMention(path), label: path.slice(slash + 1), hint: slash === -1 ? '' : path.slice(0, slash) }
}
