// Owns the list of what a request is made of (U-6): tokens and share of each section, and what is left. Props in, JSX out.
import type { ContextSections } from '@common/contract/context-views'
import { Button } from '../ui/button'
import { wholeTokensText } from './context-texts'
import { sectionLines } from './section-lines'

export type SectionsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ready'; readonly counted: ContextSections }

export interface SectionListProps {
  readonly state: SectionsState
  /** The model's limit; null when it is not known. */
  readonly maxTokens: number | null
  readonly onRetry: () => void
}

export function SectionList({ state, maxTokens, onRetry }: SectionListProps) {
  if (state.kind === 'failed')
    return (
      <div className="flex flex-col items-start gap-2">
        <p className="text-small wrap-anywhere">{state.message}</p>
        <Button small onClick={onRetry}>
          Count again
        </Button>
      </div>
    )
  if (state.kind === 'loading') return <p className="min-h-56 text-small text-quiet">Counting what it holds</p>
  const { counted } = state
  return (
    <div className="flex flex-col gap-2">
      <p className="flex justify-between gap-3 text-small font-semibold tabular-nums">
        <span>The next request</span>
        <span>{wholeTokensText(counted.tokens)}</span>
      </p>
      <dl className="grid grid-cols-[1fr_auto_auto] gap-x-3 gap-y-0.5 text-small tabular-nums">
        {sectionLines(counted, maxTokens).map(({ name, tokens, share, isQuiet }) => (
          <div key={name} className={isQuiet ? 'contents text-quiet' : 'contents'}>
            <dt>{name}</dt>
            <dd className="text-right">{wholeTokensText(tokens)}</dd>
            <dd className="min-w-11 text-right text-quiet">{share}</dd>
          </div>
        ))}
      </dl>
      <p className="text-micro text-quiet">
        {counted.estimated
          ? 'Counted with a stand-in: this model’s own tokenizer is not public.'
          : 'Counted here; the provider’s own count may differ a little.'}
      </p>
    </div>
  )
}
