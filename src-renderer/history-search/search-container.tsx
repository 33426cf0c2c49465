// Owns the search wired to the state: it begins a moment after the last keystroke, and anew for another place.
import { useEffect, useRef } from 'react'
import type { MemoryHit, PersonHit } from '@common/contract/search-views'
import { focusComposer } from '../frame/regions'
import { jumpToRow } from '../store/actions/jump-actions'
import { showMemory } from '../store/actions/memory-actions'
import { runSearch, searchFurther, searchPlaceOf, setSearchScope, typeQuery } from '../store/actions/search-actions'
import { selectWorkspace } from '../store/actions/session-actions'
import { changeLayout } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import type { App } from '../store/app-store'
import { memoryPlace } from './memory-place'
import { SearchPanel } from './search-panel'

/** A pause in typing after which the windows are searched. */
const SEARCH_DELAY_MS = 200

export function SearchContainer() {
  const app = useApp()
  const search = useAppState((state) => state.search)
  const place = useAppState(searchPlaceOf)
  const hasWorkspace = useAppState((state) => state.selectedWorkspaceId !== null)
  const workspaces = useAppState((state) => state.workspaces)
  const projects = useAppState((state) => state.projects)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    const { searchedIn } = app.store.getState().search
    if (searchedIn !== null && searchedIn !== place) void runSearch(app)
  }, [app, place])

  function searchNow(): void {
    clearTimeout(timer.current)
    void runSearch(app)
  }
  return (
    <SearchPanel
      search={search}
      hasWorkspace={hasWorkspace}
      placeOf={(hit) => memoryPlace(hit, search.searchedIn === 'everywhere', workspaces, projects)}
      onQuery={(query) => {
        typeQuery(app, query)
        clearTimeout(timer.current)
        timer.current = setTimeout(searchNow, SEARCH_DELAY_MS)
      }}
      onScope={(scope) => setSearchScope(app, scope)}
      onSearch={searchNow}
      onFurther={() => void searchFurther(app)}
      onJump={(hit) => void jumpToRow(app, jumpOf(hit))}
      onMemory={(hit) => void openMemoryHit(app, hit)}
      onLeave={() => {
        changeLayout(app, (layout) => ({ ...layout, sheet: null }))
        focusComposer()
      }}
    />
  )
}

function jumpOf({ workspaceId, rowId, sequence, snippet, matchStart, matchLength }: PersonHit) {
  return { workspaceId, rowId, sequence, words: snippet.slice(matchStart, matchStart + matchLength) }
}

async function openMemoryHit(app: App, { workspaceId, path }: MemoryHit): Promise<void> {
  const { selectedWorkspaceId, layout } = app.store.getState()
  if (selectedWorkspaceId !== workspaceId) await selectWorkspace(app, workspaceId)
  showMemory(app, workspaceId, path, layout.sheet)
}
