// Owns one request wired to main: its content, its open texts, and where a text stands in it.
import { useEffect, useState } from 'react'
import type { InspectedContent, InspectedPiece } from '@common/contract/inspector-views'
import { findInRequest, readRequest, type RequestPlace } from '../store/actions/inspector-actions'
import { useApp } from '../store/app-context'
import { Button } from '../ui/button'
import { ErrorState, Skeleton } from '../ui/view-states'
import { pieceKey } from './inspector-texts'
import { RequestContent } from './request-content'
import { useAnswer } from './use-answer'
import { usePieceTexts } from './use-piece-text'

export interface ContentContainerProps {
  readonly place: RequestPlace
  /** How it ended is noted: its figures are there. */
  readonly isEnded: boolean
  readonly windowName: (windowId: string) => string
  readonly onGoToRow: (rowId: string) => void
}

/** A pause in typing after which the request is searched. */
const FIND_DELAY_MS = 150

export function ContentContainer({ place, isEnded, windowName, onGoToRow }: ContentContainerProps) {
  const app = useApp()
  const { workspaceId, requestSequence } = place
  const { asked, again } = useAnswer(`${workspaceId} ${requestSequence}`, () => readRequest(app, place, 0), isEnded)
  const [more, setMore] = useState<{ readonly messages: readonly InspectedPiece[]; readonly next: number | null }>()
  const texts = usePieceTexts(place)
  const [query, setQuery] = useState('')
  const found = useFound(place, query)
  if (asked.kind === 'failed')
    return (
      <div className="p-4">
        <ErrorState message={asked.message} action={<Button onClick={again}>Load again</Button>} />
      </div>
    )
  if (asked.kind === 'loading')
    return <Skeleton bars={[30, 55, 90, 80, 60]} label="Building the request again" className="p-4" />
  const content: InspectedContent =
    more === undefined ? asked.value : { ...asked.value, messages: [...asked.value.messages, ...more.messages] }
  const next = more === undefined ? asked.value.nextMessage : more.next

  async function readOn(from: number): Promise<void> {
    const answer = await readRequest(app, place, from)
    if (!answer.ok) return
    setMore((held) => ({
      messages: [...(held?.messages ?? []), ...answer.value.messages],
      next: answer.value.nextMessage
    }))
  }
  return (
    <RequestContent
      content={content}
      windowName={windowName(content.request.windowId)}
      query={query}
      found={found}
      onQuery={setQuery}
      openedOf={texts.openedOf}
      onTurn={texts.turn}
      onMoreMessages={next === null ? null : () => void readOn(next)}
      onGoToRow={onGoToRow}
    />
  )
}

/** Null while nothing is searched for, or not yet. */
function useFound(place: RequestPlace, query: string): ReadonlySet<string> | null {
  const app = useApp()
  const { workspaceId, requestSequence } = place
  const [found, setFound] = useState<ReadonlySet<string> | null>(null)
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      const answer = query === '' ? null : await findInRequest(app, { workspaceId, requestSequence }, query)
      if (isCurrent) setFound(answer?.ok === true ? new Set(answer.value.pieces.map(pieceKey)) : null)
    }, FIND_DELAY_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [app, workspaceId, requestSequence, query])
  return query === '' ? null : found
}
