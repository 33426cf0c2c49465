// Owns one hit: who said it and when, or which memory it is, and the words around the match.
import type { ReactNode } from 'react'
import type { MemoryHit, PersonHit } from '@common/contract/search-views'
import { memoryName } from '../memory/memory-texts'
import { timeText } from '../ui/format'
import { MarkedText } from '../ui/marked-text'
import { useNow } from '../ui/use-now'
import { excerptOf, speakerOf, type Snippet } from './search-texts'

export interface SearchHitProps {
  readonly hit: PersonHit
  readonly query: string
  readonly onOpen: () => void
}

export function SearchHit({ hit, query, onOpen }: SearchHitProps) {
  const nowMs = useNow(false)
  return (
    <HitButton testId="history-hit" hit={hit} query={query} onOpen={onOpen}>
      <span className="min-w-0 flex-1 truncate font-medium">{speakerOf(hit)}</span>
      {hit.at !== null && <span className="shrink-0">{timeText(Date.parse(hit.at), nowMs)}</span>}
    </HitButton>
  )
}

export interface MemorySearchHitProps {
  readonly hit: MemoryHit
  /** Who sees the memory. */
  readonly place: string
  readonly query: string
  readonly onOpen: () => void
}

export function MemorySearchHit({ hit, place, query, onOpen }: MemorySearchHitProps) {
  return (
    <HitButton testId="memory-hit" hit={hit} query={query} onOpen={onOpen}>
      <span className="min-w-0 flex-1 truncate font-medium">{memoryName(hit.path)}</span>
      <span className="max-w-1/2 shrink-0 truncate">{place}</span>
    </HitButton>
  )
}

interface HitButtonProps {
  readonly testId: string
  readonly hit: Snippet
  readonly query: string
  readonly onOpen: () => void
  readonly children: ReactNode
}

function HitButton({ testId, hit, query, onOpen, children }: HitButtonProps) {
  const { lead, match, rest } = excerptOf(hit)
  return (
    <li>
      <button
        type="button"
        data-testid={testId}
        data-arrow
        onClick={onOpen}
        className="flex w-full min-w-0 flex-col gap-0.5 rounded-regular px-2 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2 touch:min-h-11"
      >
        <span className="flex w-full gap-2 text-micro text-quiet tabular-nums">{children}</span>
        <span dir="auto" className="line-clamp-3 w-full text-small wrap-anywhere">
          {lead}
          <mark className="rounded-[2px] bg-accent-surface font-semibold text-text">{match}</mark>
          <MarkedText text={rest} query={query} />
        </span>
      </button>
    </li>
  )
}
