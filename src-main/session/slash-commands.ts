// Owns the commands that a person types in place of a message (`/clear`): which there are, and what a text asks for.
// One place for the app and the command line. A text that is no command of this list is a message like any other.
import type { CommandView } from '@common/contract/window-views'

export type SlashCommand =
  | { readonly name: 'clear'; readonly soft: boolean }
  /** `instructions`: what the summary should dwell on; empty for nothing in particular. */
  | { readonly name: 'compact'; readonly instructions: string }

/** What the composer's menu offers; only what exists is listed. */
export const SLASH_COMMANDS: readonly CommandView[] = [
  {
    kind: 'command',
    name: '/clear',
    arguments: '[--soft]',
    description:
      'Empty this conversation: every row is cut and kept in cut-rows.jsonl. With --soft only a fresh context window begins; the rows stay on screen.'
  },
  {
    kind: 'command',
    name: '/compact',
    arguments: '[instructions]',
    description:
      'Summarise this context window and go on from the summary. Every row stays on screen and on disk; say what the summary should dwell on.'
  }
]

/** The command that this text is; null for a message. */
export function parseSlashCommand(text: string): SlashCommand | null {
  const compact = /^\/compact(?:\s+([\s\S]*))?$/.exec(text.trim())
  if (compact !== null) return { name: 'compact', instructions: compact[1]?.trim() ?? '' }
  switch (text.trim().replace(/\s+/g, ' ')) {
    case '/clear':
      return { name: 'clear', soft: false }
    case '/clear --soft':
      return { name: 'clear', soft: true }
    default:
      return null
  }
}
