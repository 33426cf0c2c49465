// Owns one tool call on screen: a line of 32 px that opens to its detail. What waits for the person is open.
import { ChevronRight } from 'lucide-react'
import { memo, useId } from 'react'
import type { ToolPart } from '@common/rows/row-schema'
import { cx } from '../../ui/cx'
import { Elapsed } from '../../ui/elapsed'
import { durationText } from '../../ui/format'
import { useDisclosure } from '../use-disclosure'
import { ChangeCounts } from './change-detail'
import { ToolDetail } from './tool-detail'
import { numberField } from './tool-fields'
import { StateIcon, ToolIcon } from './tool-icons'
import { STATE_WORDS, toolCardState } from './tool-state'
import type { ToolCardState, ToolLive } from './tool-state'
import { skillWordsOf, toolLineOf, toolResultOf } from './tool-texts'

export interface ToolCardProps {
  readonly part: ToolPart
  /** Null when the row of the call does not stream. */
  readonly live: ToolLive | null
}

/** A shorter run says nothing about time. */
const SHORTEST_TOLD_MS = 100

export const ToolCard = memo(function ToolCard({ part, live }: ToolCardProps) {
  const detailId = useId()
  const state = toolCardState(part, live)
  const waits = state === 'asking' || state === 'question'
  const [opened, turn] = useDisclosure(`tool:${part.toolCallId}`)
  const open = waits || opened
  return (
    <div data-testid={`tool-card-${part.toolName}`} data-state={state}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? detailId : undefined}
        // What waits for the person cannot be put away.
        aria-disabled={waits || undefined}
        onClick={waits ? undefined : turn}
        className={cx(
          'flex h-8 w-full min-w-0 items-center gap-2 px-2.5 text-left text-small transition-colors focus-visible:-outline-offset-2 touch:h-11',
          waits ? 'bg-warn-surface' : 'hover:bg-hover'
        )}
      >
        <ChevronRight
          size={12}
          aria-hidden
          className={cx('shrink-0 text-quiet transition-transform', open && 'rotate-90')}
        />
        <ToolIcon toolName={part.toolName} />
        <CardLine part={part} asked={state === 'question'} />
        <CardEnd part={part} state={state} />
      </button>
      {open && (
        <div id={detailId} className="border-t border-line">
          <ToolDetail part={part} live={live} state={state} />
        </div>
      )}
    </div>
  )
})

/** A question that waits stands in full below: the line does not say it twice. */
function CardLine({ part, asked }: { readonly part: ToolPart; readonly asked: boolean }) {
  const { verb, target, prose } = toolLineOf(part)
  return (
    <>
      <span className="max-w-48 shrink-0 truncate font-medium">{verb}</span>
      <span dir="auto" className={cx('min-w-0 flex-1 truncate text-quiet', !prose && 'font-mono')}>
        {asked ? '' : target}
      </span>
    </>
  )
}

function CardEnd({ part, state }: { readonly part: ToolPart; readonly state: ToolCardState }) {
  const result = toolResultOf(part)
  const skills = skillWordsOf(part)
  return (
    <span className="flex shrink-0 items-center gap-2 text-micro text-quiet tabular-nums">
      {result !== null && <ResultWords part={part} words={result} failed={state === 'failed'} />}
      {skills !== null && <span>{skills}</span>}
      {endWords(state)}
      {state === 'running' && part.startedAtMs !== undefined && <Elapsed sinceMs={part.startedAtMs} />}
      {part.durationMs !== undefined && part.durationMs >= SHORTEST_TOLD_MS && (
        <span>{durationText(part.durationMs)}</span>
      )}
      <StateIcon state={state} />
    </span>
  )
}

interface ResultWordsProps {
  readonly part: ToolPart
  readonly words: string
  readonly failed: boolean
}

function ResultWords({ part, words, failed }: ResultWordsProps) {
  const [added, removed] = [numberField(part.output, 'added'), numberField(part.output, 'removed')]
  if (added !== null && removed !== null) return <ChangeCounts added={added} removed={removed} />
  return <span className={cx(failed && 'text-danger')}>{words}</span>
}

/** States that a sign alone would not tell are said in words, the others to screen readers only. */
function endWords(state: ToolCardState) {
  const words = STATE_WORDS[state]
  if (state === 'asking' || state === 'question') return <span className="font-medium text-warn">{words}</span>
  const seen = state === 'denied' || state === 'interrupted' || state === 'unfinished'
  return <span className={seen ? undefined : 'sr-only'}>{words}</span>
}
