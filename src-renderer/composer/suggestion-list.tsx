// Owns how the choices for `/` and `@` are drawn, above the field. Focus stays in the field; the active
// choice is named to it by aria-activedescendant.
import { cx } from '../ui/cx'
import { OVERLAY } from '../ui/surfaces'

export interface Suggestion {
  /** What takes the token's place. */
  readonly insert: string
  readonly label: string
  readonly hint: string
}

export interface SuggestionListProps {
  readonly suggestions: readonly Suggestion[]
  readonly active: number
  readonly onTake: (index: number) => void
}

export function SuggestionList({ suggestions, active, onTake }: SuggestionListProps) {
  return (
    <div
      id="composer-suggestions"
      role="listbox"
      aria-label="Suggestions"
      className={cx(OVERLAY, 'absolute inset-x-0 bottom-full mb-2 max-h-64 overflow-y-auto p-1')}
    >
      {suggestions.map((suggestion, index) => (
        <div
          key={suggestion.insert}
          id={`composer-suggestion-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          ref={(element) => {
            if (index === active) element?.scrollIntoView({ block: 'nearest' })
          }}
          // Pressing must not take the focus away from the field.
          onPointerDown={(event) => {
            event.preventDefault()
            onTake(index)
          }}
          className={cx(
            'flex min-h-8 items-center gap-3 rounded-regular px-2 text-small touch:min-h-11',
            index === active && 'bg-hover'
          )}
        >
          <span className="max-w-2/3 shrink-0 truncate font-mono">{suggestion.label}</span>
          <span className="min-w-0 flex-1 truncate text-quiet">{suggestion.hint}</span>
        </div>
      ))}
    </div>
  )
}
