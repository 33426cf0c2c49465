// Owns the place where transcript stories play: the whole window, a session's worth of input, no main.
import { useMemo, type ReactNode, type Ref } from 'react'
import type { SessionStatus } from '@common/contract/views'
import type { Row } from '@common/rows/row-schema'
import { Transcript } from '../../src-renderer/transcript/transcript'
import type { TranscriptProps } from '../../src-renderer/transcript/transcript'
import type { TranscriptActions } from '../../src-renderer/transcript/transcript-actions'
import type { TranscriptHandle } from '../../src-renderer/transcript/transcript-list'
import { NO_LIVE_STATE } from '../../src-renderer/transcript/live-state'
import type { LiveState } from '../../src-renderer/transcript/live-state'
import { windowStartsOf } from '../../src-renderer/testing/session-builders'
import { useTranscriptItems } from '../../src-renderer/transcript/use-transcript-items'

export const IDLE: SessionStatus = { phase: 'idle', turnStartedAtMs: null, retry: null, lastProblem: null }

export function streamingStatus(): SessionStatus {
  return { ...IDLE, phase: 'streaming', turnStartedAtMs: Date.now() - 4_000 }
}

const failure = { ok: false, error: { kind: 'not-found', message: 'This story has no such thing.' } } as const

export const NO_ACTIONS: TranscriptActions = {
  onOpenLink: () => undefined,
  onRetry: () => undefined,
  onApproval: () => undefined,
  onAnswer: () => undefined,
  onReadRaw: () => Promise.resolve(failure),
  onReadSpill: () => Promise.resolve(failure),
  onReadAttachment: () => Promise.resolve(failure),
  onEditNotSent: () => undefined
}

export interface TranscriptStageProps extends Partial<Omit<TranscriptProps, 'rows' | 'tail' | 'live' | 'ref'>> {
  readonly rows?: readonly Row[]
  readonly liveRow?: Row | null
  readonly live?: LiveState
  readonly status?: SessionStatus
  readonly skippedLines?: number
  readonly debug?: boolean
  readonly handle?: Ref<TranscriptHandle>
  readonly below?: ReactNode
}

const NO_ROWS: readonly Row[] = []

export function TranscriptStage(props: TranscriptStageProps) {
  const { rows = NO_ROWS, liveRow = null, live = NO_LIVE_STATE, status = IDLE, hasOlder = false } = props
  const { skippedLines = 0, debug = false, handle, below, ...rest } = props
  const windowStarts = useMemo(() => windowStartsOf(rows), [rows])
  const items = useTranscriptItems({
    rows,
    busy: status.phase !== 'idle',
    hasOlder,
    skippedLines,
    debug,
    live: liveRow,
    status,
    waiting: live.approvals.length + live.questions.length > 0
  })
  return (
    <div className="fixed inset-0 flex flex-col bg-surface">
      <Transcript
        state={{ kind: 'ready' }}
        olderState="idle"
        onNeedOlder={() => undefined}
        windowStarts={windowStarts}
        canRetry={status.phase === 'idle'}
        actions={NO_ACTIONS}
        {...rest}
        hasOlder={hasOlder}
        rows={items.rows}
        tail={items.tail}
        live={live}
        {...(handle === undefined ? {} : { ref: handle })}
      />
      {below}
    </div>
  )
}
