// Owns the search wired to the state: it begins a moment after the last keystroke, and anew for another place.
import { useCallback, useEffect, useRef } from 'react'
import { focusComposer } from '../frame/regions'
import { jumpToHit } from '../store/actions/jump-actions'
import {
  runSearch,
  searchFurther,
  searchPlaceOf,
  setSearchScope,
  typeQuery,
  type LookUp
} from '../store/actions/search-actions'
import { changeLayout } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { SearchPanel } from './search-panel'

/** A pause in typing after which the windows are searched. */
const SEARCH_DELAY_MS = 200

export function SearchContainer() {
  const app = useApp()
  const search = useAppState((state) => state.search)
  const place = useAppState(searchPlaceOf)
  const workspaces = useAppState((state) => state.workspaces)
  const lookUp = useCallback<LookUp>((input) => app.bridge.request('history.search', input), [app])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    const { searchedIn } = app.store.getState().search
    if (searchedIn !== null && searchedIn !== place) void runSearch(app, lookUp)
  }, [app, lookUp, place])
  return (
    <SearchPanel
      search={search}
      titleOf={(workspaceId) => workspaces[workspaceId]?.title || 'New workspace'}
      onQuery={(query) => {
        typeQuery(app, query)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => void runSearch(app, lookUp), SEARCH_DELAY_MS)
      }}
      onScope={(scope) => setSearchScope(app, scope)}
      onFurther={() => void searchFurther(app, lookUp)}
      onJump={(found) => void jumpToHit(app, found)}
      onLeave={() => {
        changeLayout(app, (layout) => ({ ...layout, sheet: null }))
        focusComposer()
      }}
    />
  )
}
