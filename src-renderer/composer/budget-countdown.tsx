// Owns the countdown beside the pickers (U-5). It changes with each answer, so a screen reader hears it then, not at
// each token; the place where it speaks is there from the beginning, or the first word would be lost.
import { cx } from '../ui/cx'
import type { Countdown } from './countdown'

export function BudgetCountdown({ countdown }: { readonly countdown: Countdown | null }) {
  return (
    <>
      <output className="sr-only">{countdown?.text}</output>
      {countdown !== null && (
        <span
          aria-hidden
          data-testid="budget-countdown"
          className={cx(
            // Beside the pickers where there is room for both, else on a line of its own.
            'order-last basis-full px-1 pt-1 text-small tabular-nums',
            '@min-[680px]:order-none @min-[680px]:basis-auto @min-[680px]:px-2 @min-[680px]:pt-0 @min-[680px]:leading-8',
            countdown.isNear ? 'text-warn' : 'text-quiet'
          )}
        >
          {countdown.text}
        </span>
      )}
    </>
  )
}
