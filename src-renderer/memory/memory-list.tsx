// Owns the list of the memory panel (Y-3): the three scopes, the widest first, and what this window was given.
import { Plus } from 'lucide-react'
import type { MemoryListing } from '@common/contract/memory-views'
import { MEMORY_SCOPES } from '@common/memory/memory-schema'
import { Button } from '../ui/button'
import { EmptyState, ErrorState, Skeleton } from '../ui/view-states'
import { MemoryRow } from './memory-row'
import { preloadText, SCOPE_TEXTS } from './memory-texts'

export interface MemoryListProps {
  /** Null while it loads for the first time. */
  readonly listing: MemoryListing | null
  readonly problem: string | null
  /** What the switches of the settings mean for agents; null when nothing is switched off. */
  readonly restriction: string | null
  readonly onReload: () => void
  readonly onOpen: (path: string) => void
  readonly onPin: (path: string, pinned: boolean) => void
  readonly onNew: () => void
  readonly onSettings: () => void
}

export function MemoryList(props: MemoryListProps) {
  const { listing, problem, restriction, onReload, onOpen, onPin, onNew, onSettings } = props
  return (
    <section aria-label="Memory" data-testid="memory-panel" className="flex flex-col gap-3 px-4 py-3">
      {problem !== null && <ErrorState message={problem} action={<Button onClick={onReload}>Load again</Button>} />}
      {restriction !== null && (
        <p className="rounded-regular bg-warn-surface px-3 py-2 text-small">
          {restriction}{' '}
          <button type="button" onClick={onSettings} className="underline underline-offset-2">
            Change
          </button>
        </p>
      )}
      {listing === null ? (
        problem === null && <Skeleton bars={[60, 80, 50]} label="Loading memories" />
      ) : listing.memories.length === 0 && listing.problems.length === 0 ? (
        <EmptyState title="Nothing is remembered yet: agents keep here what should outlast a conversation.">
          <NewButton onNew={onNew} />
        </EmptyState>
      ) : (
        <>
          <div className="flex items-center justify-between gap-2">
            <p className="min-w-0 text-small text-quiet">{preloadText(listing.memories, listing.windowBegun)}</p>
            <NewButton onNew={onNew} />
          </div>
          {listing.problems.map((each) => (
            <ErrorState key={each} message={each} />
          ))}
          <Scopes listing={listing} onOpen={onOpen} onPin={onPin} />
        </>
      )}
    </section>
  )
}

function Scopes({ listing, onOpen, onPin }: Pick<MemoryListProps, 'onOpen' | 'onPin'> & { listing: MemoryListing }) {
  return MEMORY_SCOPES.map((scope) => {
    const memories = listing.memories.filter((memory) => memory.scope === scope)
    const { title, hint } = SCOPE_TEXTS[scope]
    return (
      <div key={scope} className="flex flex-col gap-1">
        <h3 className="text-small font-semibold">
          {title} <span className="font-normal text-quiet">· {hint}</span>
        </h3>
        {memories.length === 0 ? (
          <p className="text-small text-quiet">None.</p>
        ) : (
          <ul aria-label={title} className="-mx-2 flex flex-col">
            {memories.map((memory) => (
              <MemoryRow
                key={memory.path}
                memory={memory}
                onOpen={() => onOpen(memory.path)}
                onPin={(pinned) => onPin(memory.path, pinned)}
              />
            ))}
          </ul>
        )}
      </div>
    )
  })
}

function NewButton({ onNew }: { readonly onNew: () => void }) {
  return (
    <Button small icon={<Plus size={14} aria-hidden />} onClick={onNew} data-testid="new-memory">
      New memory
    </Button>
  )
}
