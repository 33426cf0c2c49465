// Owns the text field itself: it grows with its text up to a share of the window, and reports keys and
// caret. A hidden copy of the text gives the height, so no keystroke measures the page.
import type { ClipboardEvent, KeyboardEvent, Ref } from 'react'
import type { ComposerIntent, KeyPress } from './composer-keys'
import { intentOf } from './composer-keys'
import { SuggestionList, type Suggestion } from './suggestion-list'

export interface PromptFieldProps {
  readonly text: string
  readonly placeholder: string
  readonly suggestions: readonly Suggestion[]
  readonly activeSuggestion: number
  readonly recalling: boolean
  readonly editing: boolean
  readonly onChange: (text: string, caret: number) => void
  readonly onCaret: (caret: number) => void
  readonly onIntent: (intent: ComposerIntent) => void
  readonly onTakeSuggestion: (index: number) => void
  readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void
  readonly onBlur: () => void
  readonly ref?: Ref<HTMLTextAreaElement>
}

const SHAPE = 'col-start-1 row-start-1 w-full px-3 pt-3 pb-1 text-body wrap-anywhere whitespace-pre-wrap'

export function PromptField({ ref, ...props }: PromptFieldProps) {
  const { text, suggestions, activeSuggestion } = props
  const listOpen = suggestions.length > 0
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const field = event.currentTarget
    const intent = intentOf(pressOf(event), {
      text,
      listOpen,
      typedInFull: suggestions[activeSuggestion]?.insert === text,
      recalling: props.recalling,
      editing: props.editing,
      caretOnFirstLine: !text.slice(0, field.selectionStart).includes('\n'),
      caretOnLastLine: !text.slice(field.selectionEnd).includes('\n')
    })
    if (intent === null) return
    event.preventDefault()
    props.onIntent(intent)
  }
  return (
    <div className="relative">
      {listOpen && (
        <SuggestionList suggestions={suggestions} active={activeSuggestion} onTake={props.onTakeSuggestion} />
      )}
      <div className="grid max-h-[40vh] min-h-16 overflow-y-auto">
        <div aria-hidden className={`${SHAPE} invisible`}>
          {`${text}\n`}
        </div>
        <textarea
          ref={ref}
          data-testid="composer"
          data-region-focus
          aria-label="Message"
          aria-autocomplete="list"
          {...(listOpen
            ? {
                'aria-controls': 'composer-suggestions',
                'aria-activedescendant': `composer-suggestion-${activeSuggestion}`
              }
            : {})}
          rows={1}
          dir="auto"
          spellCheck={false}
          value={text}
          placeholder={props.placeholder}
          onChange={(event) => props.onChange(event.target.value, event.target.selectionStart)}
          onSelect={(event) => props.onCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onPaste={props.onPaste}
          onBlur={props.onBlur}
          className={`${SHAPE} resize-none overflow-hidden bg-transparent outline-none`}
        />
      </div>
    </div>
  )
}

function pressOf(event: KeyboardEvent): KeyPress {
  return {
    key: event.key,
    shiftKey: event.shiftKey,
    altKey: event.altKey,
    commandKey: event.ctrlKey || event.metaKey,
    // 229 is what older engines say for a key that the input method takes.
    composing: event.nativeEvent.isComposing || event.keyCode === 229
  }
}
