// Owns what the field remembers besides its text: caret, open list, place among earlier messages.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { viewportNow } from '../frame/viewport'
import { saveDraft, typeDraft } from '../store/actions/draft-actions'
import { cancelEditing } from '../store/actions/row-actions'
import { sendWritten } from '../store/actions/send-written'
import { useApp } from '../store/app-context'
import type { ComposerIntent } from './composer-keys'
import { sentTextsOf } from './sent-texts'
import { replaceToken, tokenAtCaret } from './token-at-caret'
import { useDraft } from './use-draft'
import type { SlashCommand } from './slash-commands'
import { useSuggestions } from './use-suggestions'

/** Behaviour of the field of a workspace, for PromptField. */
export function usePrompt(workspaceId: string, text: string, commands: readonly SlashCommand[]) {
  const app = useApp()
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const [active, setActive] = useState(0)
  /** Index of the earlier message in the field, -1 for none. */
  const [recalled, setRecalled] = useState(-1)
  const editing = useDraft(workspaceId, (draft) => draft.editing !== null)
  const nextCaret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (nextCaret.current === null) return
    field.current?.setSelectionRange(nextCaret.current, nextCaret.current)
    nextCaret.current = null
  })

  // A workspace that comes on screen can be typed into at once; a phone would raise its keyboard.
  useEffect(() => {
    if (viewportNow() !== 'narrow') field.current?.focus()
  }, [])

  const found = tokenAtCaret(text, caret)
  const token = found === null || found.from === closedAt ? null : found
  const suggestions = useSuggestions(workspaceId, token, commands)
  const activeSuggestion = Math.min(active, Math.max(0, suggestions.length - 1))

  function write(next: string, at: number): void {
    nextCaret.current = at
    setCaret(at)
    typeDraft(app, workspaceId, next)
  }
  function take(index: number): void {
    const choice = suggestions[index]
    if (token === null || choice === undefined) return
    const replaced = replaceToken(text, token, choice.insert)
    write(replaced.text, replaced.caret)
    setActive(0)
  }
  function recall(step: 1 | -1): void {
    const texts = sentTextsOf(app.store.getState().sessions[workspaceId]?.history.rows ?? [])
    const index = Math.min(recalled + step, texts.length - 1)
    setRecalled(Math.max(index, -1))
    const next = index < 0 ? '' : (texts[index] ?? '')
    write(next, next.length)
  }
  function onIntent(intent: ComposerIntent): void {
    const count = suggestions.length
    switch (intent) {
      case 'send':
      case 'send-after-turn':
        setRecalled(-1)
        void sendWritten(app, workspaceId, intent === 'send' ? 'tool-end' : 'turn-end')
        return
      case 'list-up':
        return setActive((activeSuggestion - 1 + count) % count)
      case 'list-down':
        return setActive((activeSuggestion + 1) % count)
      case 'list-take':
        return take(activeSuggestion)
      case 'list-close':
        return setClosedAt(token?.from ?? null)
      case 'edit-stop':
        return cancelEditing(app, workspaceId)
      case 'recall-older':
        return recall(1)
      case 'recall-newer':
        return recall(-1)
      case 'recall-stop':
        setRecalled(-1)
        return write('', 0)
    }
  }
  function onChange(next: string, at: number): void {
    setCaret(at)
    setActive(0)
    setRecalled(-1)
    if (tokenAtCaret(next, at)?.from !== closedAt) setClosedAt(null)
    typeDraft(app, workspaceId, next)
  }
  return {
    field,
    suggestions,
    activeSuggestion,
    recalling: recalled >= 0,
    editing,
    onChange,
    onCaret: setCaret,
    onIntent,
    onTakeSuggestion: take,
    onBlur: () => void saveDraft(app, workspaceId)
  }
}
