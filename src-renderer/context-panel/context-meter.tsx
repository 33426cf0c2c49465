// Owns the meter (U-6): how much of the model's context is in use and what happens at its end. What it is made of
// opens beside it. Says which figure is an estimate, and nothing where the limit is not known.
import { ChevronDown, ScanSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import type { UsageView } from '@common/contract/views'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import { ContextBar } from './context-bar'
import { shareOf, wholeTokensText } from './context-texts'
import { endText } from './threshold-texts'
import type { WindowMarks } from './window-marks'

export interface ContextMeterProps {
  /** Null before the first answer of a window. */
  readonly usage: UsageView | null
  /** Null where the limit is not known. */
  readonly marks: WindowMarks | null
  readonly detailsOpen: boolean
  readonly onDetails: (open: boolean) => void
  /** What the window holds, and its threshold; drawn while it is open. */
  readonly details: ReactNode
  /** The panel stands beside the conversation, not over it. */
  readonly beside: boolean
  readonly onSetLimit: () => void
  /** Shows what was sent. */
  readonly onInspect: () => void
}

export function ContextMeter({ usage, marks, onSetLimit, onInspect, ...props }: ContextMeterProps) {
  const used = usage?.contextTokens ?? 0
  const share = shareOf(used, marks?.maxTokens ?? null)
  return (
    <section aria-labelledby="context-heading" data-testid="context-meter" className="flex flex-col gap-1.5 px-4 py-3">
      <div className="flex items-baseline justify-between gap-2">
        <h2 id="context-heading" className="text-small font-semibold">
          Context window
        </h2>
        {share !== null && usage !== null && <span className="text-small tabular-nums">{share} %</span>}
      </div>
      {marks === null ? (
        <div className="flex flex-col items-start gap-2">
          <p className="text-small text-quiet">The limit of this model is not known, so nothing can warn before it.</p>
          <Button small onClick={onSetLimit}>
            Set the limit
          </Button>
        </div>
      ) : (
        <ContextBar used={used} marks={marks} />
      )}
      <div className="text-small text-quiet tabular-nums">
        <p>{usedText(usage, marks?.maxTokens ?? null)}</p>
        {marks !== null && <p>{endText(marks)}</p>}
      </div>
      <Popover
        label="What the window holds"
        side={props.beside ? 'left' : 'bottom'}
        align={props.beside ? 'start' : 'center'}
        open={props.detailsOpen}
        onOpenChange={props.onDetails}
        className="w-80"
        trigger={
          <button
            type="button"
            data-testid="context-details"
            className="-mx-1.5 flex h-7 items-center justify-between rounded-small px-1.5 text-left text-small transition-colors hover:bg-hover touch:h-11"
          >
            What it holds
            <ChevronDown size={13} aria-hidden className="text-quiet" />
          </button>
        }
      >
        {props.details}
      </Popover>
      <button
        type="button"
        data-testid="inspect-requests"
        onClick={onInspect}
        className="-mx-1.5 flex h-7 items-center justify-between rounded-small px-1.5 text-left text-small transition-colors hover:bg-hover touch:h-11"
      >
        What was sent
        <ScanSearch size={13} aria-hidden className="text-quiet" />
      </button>
    </section>
  )
}

function usedText(usage: UsageView | null, maxTokens: number | null): string {
  if (usage === null)
    return maxTokens === null ? 'Not measured yet' : `${wholeTokensText(maxTokens)} tokens, not measured yet`
  const limit = maxTokens === null ? '' : ` of ${wholeTokensText(maxTokens)}`
  return `${usage.estimated ? 'About ' : ''}${wholeTokensText(usage.contextTokens)}${limit} tokens`
}
