// Owns the strip above the field that says what is in the way and offers the ways out.
import { useNow } from '../ui/use-now'
import { Button } from '../ui/button'
import { cx } from '../ui/cx'
import type { Banner, BannerAction } from './banner-of'

export interface ComposerBannerProps {
  readonly banner: Banner
  readonly onAction: (action: BannerAction) => void
}

const LABELS: Record<BannerAction, string> = {
  stop: 'Stop trying',
  retry: 'Try again',
  settings: 'Open settings',
  'choose-model': 'Choose a model',
  'choose-folder': 'Choose the folder',
  'new-workspace': 'New workspace'
}
const LEVELS: Record<Banner['level'], string> = {
  info: 'border-l-accent bg-accent-surface',
  warning: 'border-l-warn bg-warn-surface',
  danger: 'border-l-danger bg-danger-surface'
}

export function ComposerBanner({ banner, onAction }: ComposerBannerProps) {
  return (
    <div
      role={banner.level === 'danger' ? 'alert' : 'status'}
      data-testid={banner.kind === 'blocked' ? 'budget-blocked' : `banner-${banner.kind}`}
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-regular border-l-2 py-2 pr-2 pl-3',
        LEVELS[banner.level]
      )}
    >
      <p className="min-w-48 flex-1 text-small wrap-anywhere">
        {banner.text}
        {banner.untilMs !== null && <Countdown untilMs={banner.untilMs} />}
      </p>
      <div className="flex flex-wrap gap-2">
        {banner.actions.map((action) => (
          <Button key={action} small onClick={() => onAction(action)}>
            {LABELS[action]}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** Seconds until the next attempt; hidden from screen readers, which would read every second. */
function Countdown({ untilMs }: { readonly untilMs: number }) {
  const seconds = Math.max(0, Math.ceil((untilMs - useNow(true)) / 1_000))
  return (
    <span aria-hidden className="tabular-nums">
      {seconds > 0 ? ` in ${seconds} s.` : ' now.'}
    </span>
  )
}
