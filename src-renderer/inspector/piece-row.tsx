// Owns one piece of a request: a line that opens to its text, page by page.
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import type { InspectedPiece } from '@common/contract/inspector-views'
import { wholeTokensText } from '../context-panel/context-texts'
import { Button } from '../ui/button'
import { cx } from '../ui/cx'
import { countText } from '../ui/format'
import { MarkedText } from '../ui/marked-text'
import { ErrorState, Skeleton } from '../ui/view-states'
import { pieceName } from './inspector-texts'
import type { PieceText } from './use-piece-text'

export interface PieceRowProps {
  readonly piece: InspectedPiece
  /** Its text while it is open; null while it is closed. */
  readonly opened: PieceText | null
  /** Marked in the text. */
  readonly query: string
  readonly onTurn: () => void
  /** Leads to the row in the conversation; absent where there is none. */
  readonly onGoToRow?: (() => void) | undefined
}

export function PieceRow({ piece, opened, query, onTurn, onGoToRow }: PieceRowProps) {
  const id = useId()
  const { tokens, preview, isNew } = piece
  return (
    <div className="border-b border-line last:border-b-0">
      <button
        type="button"
        aria-expanded={opened !== null}
        aria-controls={opened === null ? undefined : id}
        data-arrow
        data-piece={`${piece.part} ${piece.index}`}
        onClick={onTurn}
        className="flex min-h-8 w-full items-center gap-2 px-2 text-left text-small transition-colors hover:bg-hover focus-visible:-outline-offset-2 touch:min-h-11"
      >
        <ChevronRight
          size={13}
          aria-hidden
          className={cx('shrink-0 text-quiet transition-transform', opened !== null && 'rotate-90')}
        />
        <span className="shrink-0 font-medium tabular-nums">{pieceName(piece)}</span>
        {isNew && <span className="shrink-0 rounded-small bg-accent-surface px-1 text-micro text-text">new</span>}
        <span dir="auto" className="min-w-0 flex-1 truncate text-quiet">
          {preview}
        </span>
        {tokens !== null && <span className="shrink-0 text-quiet tabular-nums">{wholeTokensText(tokens)}</span>}
      </button>
      {opened !== null && (
        <div id={id} className="flex flex-col items-start gap-2 px-2 pb-3 narrow:pl-7">
          <OpenText opened={opened} query={query} />
          {onGoToRow !== undefined && (
            <Button small kind="quiet" onClick={onGoToRow}>
              {piece.rows > 1 ? `Go to the first of ${countText(piece.rows, 'row')}` : 'Go to its row'}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function OpenText({ opened, query }: { readonly opened: PieceText; readonly query: string }) {
  const { text, totalChars, problem, onMore, isAsking } = opened
  if (text === null)
    return problem === null ? (
      <Skeleton bars={[70, 50]} label="Loading the text" className="w-full" />
    ) : (
      <ErrorState message={problem} />
    )
  return (
    <>
      <pre
        dir="auto"
        className="w-full overflow-hidden rounded-regular bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap wrap-anywhere"
      >
        {text === '' ? '(empty)' : <MarkedText text={text} query={query} />}
      </pre>
      {problem !== null && <ErrorState message={problem} />}
      {onMore !== null && (
        <Button small disabled={isAsking} onClick={onMore}>
          Show more of {totalChars.toLocaleString('en')} characters
        </Button>
      )}
    </>
  )
}
