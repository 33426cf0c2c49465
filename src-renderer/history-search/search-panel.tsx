// Owns the search through past windows (S-9): a field, where to look, and hits that the arrows go through.
import { Search } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import type { FoundHit, SearchScope, SearchState } from '../store/search-state'
import { moveFocusByArrow } from '../sidebar/move-focus'
import { Button } from '../ui/button'
import { Segmented } from '../ui/segmented'
import { FIELD } from '../ui/surfaces'
import { ErrorState } from '../ui/view-states'
import { SearchHit } from './search-hit'
import { groupHits, searchStatus, skippedText } from './search-texts'

export interface SearchPanelProps {
  readonly search: SearchState
  /** Title of a workspace; shown where more than one is searched. */
  readonly titleOf: (workspaceId: string) => string
  readonly onQuery: (query: string) => void
  readonly onScope: (scope: SearchScope) => void
  readonly onFurther: () => void
  readonly onJump: (found: FoundHit) => void
  readonly onLeave: () => void
}

const SCOPES = [
  { value: 'workspace', label: 'This workspace' },
  { value: 'everywhere', label: 'Everywhere' }
] as const

export function SearchPanel(props: SearchPanelProps) {
  const { search, titleOf, onQuery, onScope, onFurther, onJump, onLeave } = props
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (search.focusCount === 0) return
    field.current?.focus()
    field.current?.select()
  }, [search.focusCount])
  const groups = useMemo(() => groupHits(search.hits), [search.hits])
  const status = searchStatus(search)
  const skipped = skippedText(search.skippedRows)

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const inField = event.target === field.current
    if (event.key === 'Escape') {
      event.preventDefault()
      onLeave()
    } else if (inField && event.key === 'Enter' && !event.nativeEvent.isComposing) {
      const first = search.hits[0]
      if (first !== undefined) onJump(first)
    } else if (!inField || event.key.startsWith('Arrow')) moveFocusByArrow(event)
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
      <Segmented label="Where to search" value={search.scope} onChange={onScope} options={SCOPES} />
      <output className="block min-h-[18px] text-small text-quiet tabular-nums">
        {status ?? 'Every message of every window, word for word.'}
      </output>
      {search.problem !== null && <ErrorState message={search.problem} />}
      <div className="flex flex-col gap-3">
        {groups.map((group) => (
          <div key={`${group.workspaceId} ${group.windowId}`} className="flex flex-col gap-1">
            {search.scope === 'everywhere' && group.opensWorkspace && (
              <h3 className="text-small font-semibold wrap-anywhere">{titleOf(group.workspaceId)}</h3>
            )}
            <h4 className="text-micro font-medium text-quiet">
              Window <span className="font-mono">{group.windowId}</span>
            </h4>
            <ul className="-mx-2 flex flex-col">
              {group.hits.map((found, index) => (
                <SearchHit key={index} found={found} query={search.searched} onJump={() => onJump(found)} />
              ))}
            </ul>
          </div>
        ))}
      </div>
      {skipped !== null && <p className="text-small text-quiet">{skipped}</p>}
      {search.phase === 'paused' && (
        <Button data-arrow onClick={onFurther} className="self-start">
          Search further
        </Button>
      )}
    </section>
  )
}
