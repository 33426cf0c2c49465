// Owns one hit: where it stands, who said it, and the words around the match.
import type { FoundHit } from '../store/search-state'
import { timeText } from '../ui/format'
import { MarkedText } from '../ui/marked-text'
import { useNow } from '../ui/use-now'
import { speakerText } from '../transcript/tools/history-texts'

export interface SearchHitProps {
  readonly found: FoundHit
  readonly query: string
  readonly onJump: () => void
}

export function SearchHit({ found: { hit }, query, onJump }: SearchHitProps) {
  const nowMs = useNow(false)
  return (
    <li>
      <button
        type="button"
        data-testid="history-hit"
        data-arrow
        onClick={onJump}
        className="flex w-full min-w-0 flex-col rounded-regular px-2 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2 touch:min-h-11"
      >
        <span className="flex w-full gap-2 text-micro text-quiet tabular-nums">
          {hit.sequence !== null && <span className="font-mono">#{hit.sequence}</span>}
          <span className="min-w-0 flex-1 truncate">{speakerText(hit.role, hit.tool_name)}</span>
          {hit.at !== null && <span className="shrink-0">{timeText(Date.parse(hit.at), nowMs)}</span>}
        </span>
        <span dir="auto" className="line-clamp-3 w-full text-small wrap-anywhere">
          <MarkedText text={hit.snippet} query={query} />
        </span>
      </button>
    </li>
  )
}
