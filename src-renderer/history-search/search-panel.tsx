// Owns the search through past windows (S-9): a field, where to look, and hits that the arrows go through.
import { Search } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import type { MemoryHit, PersonHit } from '@common/contract/search-views'
import type { SearchScope, SearchState } from '../store/search-state'
import { moveFocusByArrow } from '../sidebar/move-focus'
import { Button } from '../ui/button'
import { Segmented } from '../ui/segmented'
import { FIELD } from '../ui/surfaces'
import { ErrorState } from '../ui/view-states'
import { MemorySearchHit, SearchHit } from './search-hit'
import { groupHits, searchStatus, skippedText } from './search-texts'

export interface SearchPanelProps {
  readonly search: SearchState
  /** A workspace is on screen: it can be searched alone. */
  readonly hasWorkspace: boolean
  /** Who sees a memory, in words. */
  readonly placeOf: (memory: MemoryHit) => string
  readonly onQuery: (query: string) => void
  readonly onScope: (scope: SearchScope) => void
  /** Searches at once, and anew. */
  readonly onSearch: () => void
  readonly onFurther: () => void
  readonly onJump: (hit: PersonHit) => void
  readonly onMemory: (hit: MemoryHit) => void
  readonly onLeave: () => void
}

const SCOPES = [
  { value: 'workspace', label: 'This workspace' },
  { value: 'everywhere', label: 'Everywhere' }
] as const

export function SearchPanel(props: SearchPanelProps) {
  const { search, hasWorkspace, onQuery, onScope, onSearch, onFurther, onJump, onMemory, onLeave } = props
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (search.focusCount === 0) return
    field.current?.focus()
    field.current?.select()
  }, [search.focusCount])
  const skipped = skippedText(search.skippedRows)

  function onEnter(): void {
    if (search.query.trim() !== search.searched) return onSearch()
    const [memory] = search.memories
    const [hit] = search.hits
    if (memory !== undefined) onMemory(memory)
    else if (hit !== undefined) onJump(hit)
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const inField = event.target === field.current
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      onLeave()
    } else if (inField && event.key === 'Enter') onEnter()
    else if (!inField || event.key.startsWith('Arrow')) moveFocusByArrow(event)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between the field and the hits
    <section
      aria-label="Search"
      data-testid="history-search"
      onKeyDown={onKeyDown}
      className="flex flex-col gap-3 px-4 py-3"
    >
      <div className="relative">
        <Search size={14} aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-quiet" />
        <input
          ref={field}
          type="text"
          data-arrow
          aria-label="Search past messages"
          placeholder="Search past messages"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={search.query}
          onChange={(event) => onQuery(event.target.value)}
          className={`${FIELD} h-8 pl-8 touch:h-11`}
        />
      </div>
      {hasWorkspace && <Segmented label="Where to search" value={search.scope} onChange={onScope} options={SCOPES} />}
      <output className="block min-h-[18px] text-small text-quiet tabular-nums">
        {searchStatus(search) ?? 'Every message of every window, tool output and memories, word for word.'}
      </output>
      {search.problems.map((problem) => (
        <ErrorState key={problem} message={problem} />
      ))}
      <MemoryHits {...props} />
      <WindowHits {...props} />
      {skipped !== null && <p className="text-small text-quiet">{skipped}</p>}
      {search.phase === 'paused' && (
        <Button data-arrow onClick={onFurther} className="self-start">
          Search further
        </Button>
      )}
      {search.phase === 'failed' && (
        <Button data-arrow onClick={onSearch} className="self-start">
          Search again
        </Button>
      )}
    </section>
  )
}

function MemoryHits({ search, placeOf, onMemory }: SearchPanelProps) {
  if (search.memories.length === 0) return null
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-micro font-medium text-quiet">Memory</h3>
      <ul aria-label="Memory" className="-mx-2 flex flex-col">
        {search.memories.map((hit) => (
          <MemorySearchHit
            key={`${hit.workspaceId} ${hit.path}`}
            hit={hit}
            place={placeOf(hit)}
            query={search.searched}
            onOpen={() => onMemory(hit)}
          />
        ))}
      </ul>
    </div>
  )
}

function WindowHits({ search, onJump }: SearchPanelProps) {
  const groups = useMemo(() => groupHits(search.hits), [search.hits])
  const named = search.searchedIn === 'everywhere'
  return groups.map(({ workspaceId, title, windowId, windowNumber, opensWorkspace, hits }) => (
    <div key={`${workspaceId} ${windowId}`} className="flex flex-col gap-1">
      {named && opensWorkspace && <h3 className="text-small font-semibold wrap-anywhere">{title}</h3>}
      <h4 className="text-micro font-medium text-quiet tabular-nums">Window {windowNumber}</h4>
      <ul className="-mx-2 flex flex-col">
        {hits.map((hit, index) => (
          <SearchHit key={index} hit={hit} query={search.searched} onOpen={() => onJump(hit)} />
        ))}
      </ul>
    </div>
  ))
}
