// Owns the quiet offer of providers that were found on this machine. It stands in the flow, over nothing.
import { X } from 'lucide-react'
import type { ProviderSuggestion } from '@common/contract/requests'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'

export interface ProviderStripProps {
  readonly suggestions: readonly ProviderSuggestion[]
  readonly onUse: (suggestion: ProviderSuggestion) => void
  readonly onDismiss: () => void
}

export function ProviderStrip({ suggestions, onUse, onDismiss }: ProviderStripProps) {
  return (
    <section aria-label="Found on this machine" className="rounded-regular border border-line bg-raised py-1 pr-1 pl-3">
      <div className="flex items-center justify-between">
        <h3 className="text-small font-medium">Found on this machine</h3>
        <IconButton small label="Do not offer these" icon={<X size={14} />} onClick={onDismiss} />
      </div>
      <ul>
        {suggestions.map((suggestion) => (
          <li key={suggestion.entry.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1 pr-1 text-small">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {suggestion.entry.name ?? suggestion.entry.id}
              <span className="text-quiet"> · {suggestion.found}</span>
            </span>
            <Button small onClick={() => onUse(suggestion)}>
              Use it
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
