// Owns the strip above the field that says what is in the way and offers the ways out.
import { Button } from '../ui/button'
import type { Banner, BannerAction } from './banner-of'

export interface ComposerBannerProps {
  readonly banner: Banner
  readonly onAction: (action: BannerAction) => void
}

const LABELS: Record<BannerAction, string> = {
  settings: 'Open settings',
  'choose-model': 'Choose a model',
  'choose-agent': 'Choose an agent',
  'choose-folder': 'Choose the folder',
  'new-workspace': 'New workspace',
  'fresh-window': 'Begin a fresh window',
  compact: 'Compact',
  'edit-rejected': 'Edit the message',
  threshold: 'Set the threshold'
}

export function ComposerBanner({ banner, onAction }: ComposerBannerProps) {
  return (
    <div
      role="status"
      data-testid={banner.kind === 'blocked' ? 'budget-blocked' : `banner-${banner.kind}`}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-regular border-l-2 border-l-warn bg-warn-surface py-2 pr-2 pl-3"
    >
      <p dir="auto" className="min-w-[min(100%,26rem)] flex-1 text-small text-pretty wrap-anywhere">
        {banner.text}
      </p>
      <div className="ml-auto flex flex-wrap gap-2">
        {banner.actions.map((action) => (
          <Button key={action} small onClick={() => onAction(action)}>
            {LABELS[action]}
          </Button>
        ))}
      </div>
    </div>
  )
}
