// Owns what one request held: its figures, then its pieces in the order in which they were sent, its difference to the
// request before, or what was left out. Props in, JSX out, but for which view is chosen.
import { Search } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import type { InspectedContent, InspectedPiece } from '@common/contract/inspector-views'
import { moveFocusByArrow } from '../sidebar/move-focus'
import { Button } from '../ui/button'
import { countText } from '../ui/format'
import { Segmented } from '../ui/segmented'
import { FIELD } from '../ui/surfaces'
import { pieceKey } from './inspector-texts'
import { LeftOutList } from './left-out-list'
import { PieceRow } from './piece-row'
import { RequestDifference } from './request-difference'
import { RequestHead } from './request-head'
import { SectionTokens } from './section-tokens'
import type { PieceText } from './use-piece-text'

export interface RequestContentProps {
  readonly content: InspectedContent
  readonly windowName: string
  readonly query: string
  /** Pieces that hold the query; null while nothing is searched for. */
  readonly found: ReadonlySet<string> | null
  readonly onQuery: (query: string) => void
  readonly openedOf: (piece: InspectedPiece) => PieceText | null
  readonly onTurn: (piece: InspectedPiece) => void
  /** Reads the next messages; null when all are there. */
  readonly onMoreMessages: (() => void) | null
  readonly onGoToRow: (rowId: string) => void
}

type View = 'content' | 'difference' | 'left-out'

export function RequestContent(props: RequestContentProps) {
  const { content, windowName, onGoToRow } = props
  const [view, setView] = useState<View>('content')
  const { leftOut } = content
  const views = [
    { value: 'content', label: 'Content' },
    { value: 'difference', label: 'Difference' },
    { value: 'left-out', label: leftOut.length === 0 ? 'Left out' : `Left out ${leftOut.length}` }
  ] as const
  return (
    <div className="flex flex-col gap-4 px-4 py-3">
      <RequestHead content={content} windowName={windowName} />
      <Segmented label="What to show of the request" value={view} onChange={setView} options={views} />
      {view === 'content' && <Pieces {...props} />}
      {view === 'difference' && (
        <RequestDifference difference={content.difference} previousSequence={content.previousSequence} />
      )}
      {view === 'left-out' && <LeftOutList leftOut={leftOut} onGoToRow={onGoToRow} />}
    </div>
  )
}

function Pieces(props: RequestContentProps) {
  const { content, query, found, onQuery, onMoreMessages } = props
  const shown = (piece: InspectedPiece): boolean => found === null || found.has(pieceKey(piece))
  const texts = content.opening.filter((piece) => piece.part !== 'tool' && shown(piece))
  const tools = content.opening.filter((piece) => piece.part === 'tool' && shown(piece))
  const messages = content.messages.filter(shown)
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (!(event.target instanceof HTMLInputElement)) moveFocusByArrow(event)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrows move between the pieces
    <div onKeyDown={onKeyDown} className="flex flex-col gap-4">
      <SectionTokens sections={content.sections} estimated={content.estimated} />
      <div className="flex flex-col gap-1">
        <div className="relative">
          <Search size={14} aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-quiet" />
          <input
            type="text"
            data-inspector-find
            aria-label="Find in this request"
            placeholder="Find in this request"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={query}
            onChange={(event) => onQuery(event.target.value)}
            className={`${FIELD} h-8 pl-8 touch:h-11`}
          />
        </div>
        {found !== null && (
          <output className="text-small text-quiet tabular-nums">
            {found.size === 0 ? 'It stands nowhere in this request.' : `In ${countText(found.size, 'piece')}.`}
          </output>
        )}
      </div>
      <Group heading="System" pieces={texts} {...props} />
      <Tools tools={tools} isOpen={found !== null} {...props} />
      <Group heading={`Messages, ${content.request.messages}`} pieces={messages} {...props} />
      {onMoreMessages !== null && (
        <Button className="self-start" onClick={onMoreMessages}>
          Show more messages
        </Button>
      )}
    </div>
  )
}

interface ToolsProps extends Omit<GroupProps, 'heading' | 'pieces'> {
  readonly tools: readonly InspectedPiece[]
  /** The person searches: what fits is shown. */
  readonly isOpen: boolean
}

/** The same in almost every request, so they are one line until they are wanted. */
function Tools({ tools, isOpen, ...props }: ToolsProps) {
  const [open, setOpen] = useState(false)
  if (tools.length === 0) return null
  if (open || isOpen) return <Group heading={`Tools, ${tools.length}`} pieces={tools} {...props} />
  return (
    <section aria-label="Tools" className="flex flex-col gap-1">
      <h4 className="text-micro font-medium text-quiet">Tools</h4>
      <Button data-arrow className="self-start" onClick={() => setOpen(true)}>
        Show {countText(tools.length, 'tool')}
      </Button>
    </section>
  )
}

interface GroupProps extends Pick<RequestContentProps, 'openedOf' | 'onTurn' | 'onGoToRow' | 'query'> {
  readonly heading: string
  readonly pieces: readonly InspectedPiece[]
}

function Group({ heading, pieces, openedOf, onTurn, onGoToRow, query }: GroupProps) {
  if (pieces.length === 0) return null
  return (
    <section aria-label={heading} className="flex flex-col gap-1">
      <h4 className="text-micro font-medium text-quiet tabular-nums">{heading}</h4>
      <div className="overflow-hidden rounded-regular border border-line">
        {pieces.map((piece) => (
          <PieceRow
            key={pieceKey(piece)}
            piece={piece}
            opened={openedOf(piece)}
            query={query}
            onTurn={() => onTurn(piece)}
            onGoToRow={goTo(piece, onGoToRow)}
          />
        ))}
      </div>
    </section>
  )
}

/** What a compaction carried over stands in no row of its own. */
function goTo({ rowId }: InspectedPiece, onGoToRow: (rowId: string) => void): (() => void) | undefined {
  return rowId === null ? undefined : () => onGoToRow(rowId.replace(/:context$/, ''))
}
