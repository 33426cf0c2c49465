// Owns the transcript's frame and states: empty, loading, failed, and the list itself. Props only.
import { useMemo, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import type { DisplayItem } from '@common/rows/display-items'
import type { DisplayRows } from '@common/rows/display-rows'
import { MarkdownActionsContext } from '../ui/markdown/markdown-actions'
import { EmptyState, ErrorState, Skeleton } from '../ui/view-states'
import type { LiveState } from './live-state'
import { TranscriptActionsContext } from './transcript-actions'
import type { TranscriptActions } from './transcript-actions'
import { TranscriptList } from './transcript-list'
import type { TranscriptHandle } from './transcript-list'
import type { TranscriptPlace } from './transcript-place'
import { DisclosureContext } from './use-disclosure'
import type { DisclosureMemory } from './use-disclosure'

export interface TranscriptProps {
  /** Items of the stored rows, see useTranscriptItems. */
  readonly rows: DisplayRows
  /** Items after them: the live row, and what the session does. */
  readonly tail: readonly DisplayItem[]
  readonly live: LiveState
  /** `loading`: nothing is known yet, so nothing is shown as empty. */
  readonly state: { readonly kind: 'loading' | 'ready' } | { readonly kind: 'failed'; readonly message: string }
  readonly hasOlder: boolean
  readonly olderState: 'idle' | 'loading' | 'failed'
  /** Asked when the view nears the oldest loaded row, and again after a failure by the person. */
  readonly onNeedOlder: () => void
  /** Where the rows stand in the history; at its end where it is missing. */
  readonly place?: TranscriptPlace
  /** Sequences of the rows that begin windows, of all windows, ascending; 0 for what came before the first boundary. */
  readonly windowStarts: readonly number[]
  /** Asked for the divider at which a window begins, by its start, where it is not among the rows. */
  readonly onNeedWindow?: (start: number) => void
  /** The last turn may be sent again: it failed or was stopped, and nothing runs. */
  readonly canRetry: boolean
  /** Keep it the same object from render to render. */
  readonly actions: TranscriptActions
  /** What stands where no row is. */
  readonly empty?: ReactNode
  /** A button for the failed state. */
  readonly failedAction?: ReactNode
  readonly ref?: Ref<TranscriptHandle>
}

/** Give it a `key` by workspace: what is opened, the scroll position and the focus belong to one conversation. */
export function Transcript({ actions, state, empty, failedAction, ...list }: TranscriptProps) {
  const [memory] = useState<DisclosureMemory>(() => new Map())
  const markdown = useMemo(() => ({ onOpenLink: actions.onOpenLink }), [actions])
  return (
    <TranscriptActionsContext value={actions}>
      <MarkdownActionsContext value={markdown}>
        <DisclosureContext value={memory}>
          <Content state={state} empty={empty} failedAction={failedAction} {...list} />
        </DisclosureContext>
      </MarkdownActionsContext>
    </TranscriptActionsContext>
  )
}

function Content({ state, empty, failedAction, ...list }: Omit<TranscriptProps, 'actions'>) {
  if (state.kind === 'failed')
    return (
      <Frame>
        <ErrorState message={state.message} action={failedAction} />
      </Frame>
    )
  if (state.kind === 'loading')
    return (
      <Frame>
        <Skeleton bars={[38, 92, 84, 61, 0, 47, 88, 73]} label="Loading the conversation" />
      </Frame>
    )
  if (list.rows.items.length + list.tail.length === 0)
    return <Frame>{empty ?? <EmptyState title="Nothing here yet. Write what you want to get done." />}</Frame>
  return <TranscriptList key={list.place?.span ?? 0} {...list} />
}

function Frame({ children }: { readonly children: ReactNode }) {
  return (
    <div data-testid="transcript" className="min-h-0 flex-1 overflow-y-auto px-5 py-6 narrow:px-10">
      <div className="mx-auto max-w-card">{children}</div>
    </div>
  )
}
