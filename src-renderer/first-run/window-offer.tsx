// Owns the one sentence that offers token-budget windows (G-1). It stands in the flow, over nothing, and goes for good.
import { X } from 'lucide-react'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'

export interface WindowOfferProps {
  /** The demo model has them on already. */
  readonly onDemo: boolean
  readonly onAccept: () => void
  readonly onDismiss: () => void
}

export function WindowOffer({ onDemo, onAccept, onDismiss }: WindowOfferProps) {
  return (
    <section
      aria-label="Token-budget windows"
      data-testid="window-offer"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-regular border border-line bg-raised py-1.5 pr-1 pl-3 text-small"
    >
      <p className="min-w-48 flex-1 text-pretty">
        A full context window can begin afresh from the agent’s own notes instead of from a summary.
      </p>
      <div className="ml-auto flex items-center gap-1">
        <Button small onClick={onAccept}>
          {onDemo ? 'Turn on for every model' : 'Turn on'}
        </Button>
        <IconButton small label="Do not offer this again" icon={<X size={14} />} onClick={onDismiss} />
      </div>
    </section>
  )
}
