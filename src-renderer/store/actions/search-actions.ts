// Owns a person's search through past windows: page after page, shown as it comes, until enough is found.
import type { AppState } from '../app-state'
import { change, type App } from '../app-store'
import { begunSearch, withAnswer, withSearchProblem, type SearchScope, type SearchState } from '../search-state'

/** Hits after which a search waits for the person: more than anybody reads at once. */
const HITS_AT_ONCE = 60
/** Pages of one go: some hundred megabytes of history without a hit. */
const PAGES_AT_ONCE = 60

/** Shows the search and puts the cursor into its field. `panelIsSheet`: the panel stands over the page. */
export function openSearch(app: App, scope: SearchScope, panelIsSheet: boolean): void {
  change(app, (state) => ({
    ...state,
    panelTab: 'search',
    dialog: null,
    layout: { ...state.layout, ...(panelIsSheet ? { sheet: 'panel' as const } : { panelShown: true }) },
    search: { ...state.search, scope, focusCount: state.search.focusCount + 1 }
  }))
}

export function typeQuery(app: App, query: string): void {
  changeSearch(app, (search) => ({ ...search, query }))
}

export function setSearchScope(app: App, scope: SearchScope): void {
  changeSearch(app, (search) => ({ ...search, scope }))
}

/** What a search would look through now: `everywhere`, or the workspace on screen. Without a workspace on screen there is only everything. */
export function searchPlaceOf({ search, selectedWorkspaceId }: AppState): string {
  return search.scope === 'everywhere' ? 'everywhere' : (selectedWorkspaceId ?? 'everywhere')
}

/** Begins the search for what stands in the field. */
export async function runSearch(app: App): Promise<void> {
  const place = searchPlaceOf(app.store.getState())
  changeSearch(app, (search) => begunSearch(search, place))
  await goOn(app)
}

/** Looks at what was not looked at yet. */
export async function searchFurther(app: App): Promise<void> {
  changeSearch(app, (search) => (search.phase === 'paused' ? { ...search, phase: 'searching' } : search))
  await goOn(app)
}

async function goOn(app: App): Promise<void> {
  const { run, hits, searched: query, searchedIn } = app.store.getState().search
  const workspaceId = searchedIn === 'everywhere' ? null : searchedIn
  for (let page = 0; page < PAGES_AT_ONCE; page += 1) {
    const search = app.store.getState().search
    if (search.run !== run || search.phase !== 'searching') return
    if (search.hits.length - hits.length >= HITS_AT_ONCE) break
    const answer = await app.bridge.request('history.search', { workspaceId, query, cursor: search.cursor })
    changeSearch(app, (current) => {
      if (current.run !== run) return current
      return answer.ok ? withAnswer(current, answer.value) : withSearchProblem(current, answer.error.message)
    })
  }
  changeSearch(app, (search) =>
    search.run === run && search.phase === 'searching' ? { ...search, phase: 'paused' } : search
  )
}

function changeSearch(app: App, to: (search: SearchState) => SearchState): void {
  change(app, (state) => {
    const search = to(state.search)
    return search === state.search ? state : { ...state, search }
  })
}
