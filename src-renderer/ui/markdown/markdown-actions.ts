// Owns what Markdown asks of its surroundings: it opens nothing by itself.
import { createContext } from 'react'

export interface MarkdownActions {
  /** Called with an http, https or mailto address only. */
  readonly onOpenLink: (url: string) => void
}

export const MarkdownActionsContext = createContext<MarkdownActions>({ onOpenLink: () => undefined })
