// Owns what a key press in the composer means. Pure; keys of an open suggestion list come first.
// While an input method composes, every key belongs to it.

export interface KeyPress {
  readonly key: string
  readonly shiftKey: boolean
  readonly altKey: boolean
  /** Ctrl, or Cmd on a Mac. */
  readonly commandKey: boolean
  readonly composing: boolean
}

export interface FieldState {
  readonly text: string
  readonly listOpen: boolean
  /** The choice of the open list is what already stands in the field: there is nothing to take. */
  readonly typedInFull: boolean
  /** True while ↑ and ↓ walk through earlier messages. */
  readonly recalling: boolean
  /** True while an earlier message is edited. */
  readonly editing: boolean
  readonly caretOnFirstLine: boolean
  readonly caretOnLastLine: boolean
}

export type ComposerIntent =
  | 'send'
  | 'send-after-turn'
  | 'list-up'
  | 'list-down'
  | 'list-take'
  | 'list-close'
  | 'recall-older'
  | 'recall-newer'
  | 'recall-stop'
  | 'edit-stop'

/** The intent of a key press, or null when the field handles it itself. */
export function intentOf(press: KeyPress, field: FieldState): ComposerIntent | null {
  if (press.composing) return null
  const plain = !press.shiftKey && !press.altKey && !press.commandKey
  if (field.listOpen && plain) {
    const intent = press.key === 'Enter' && field.typedInFull ? 'send' : LIST_KEYS[press.key]
    if (intent !== undefined) return intent
  }
  if (press.key === 'Enter' && !press.shiftKey && !press.altKey) return press.commandKey ? 'send-after-turn' : 'send'
  if (!plain) return null
  if (press.key === 'ArrowUp' && field.caretOnFirstLine && (field.text === '' || field.recalling)) return 'recall-older'
  if (press.key === 'ArrowDown' && field.caretOnLastLine && field.recalling) return 'recall-newer'
  if (press.key === 'Escape' && field.recalling) return 'recall-stop'
  if (press.key === 'Escape' && field.editing) return 'edit-stop'
  return null
}

const LIST_KEYS: Readonly<Record<string, ComposerIntent>> = {
  ArrowUp: 'list-up',
  ArrowDown: 'list-down',
  Enter: 'list-take',
  Tab: 'list-take',
  Escape: 'list-close'
}
