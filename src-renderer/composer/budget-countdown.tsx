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
            'order-last basis-full px-1 pt-1 text-small tabular-nums narrow:order-none narrow:ml-auto narrow:basis-auto narrow:px-2 narrow:py-0 narrow:leading-8 narrow:whitespace-nowrap',
            countdown.isNear ? 'text-warn' : 'text-quiet'
          )}
        >
          {countdown.text}
        </span>
      )}
    </>
  )
}
