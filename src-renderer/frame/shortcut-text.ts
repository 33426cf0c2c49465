// Owns the one list of shortcuts: what the keyboard listens to and what the list of shortcuts shows. `Mod`
// is Cmd on a Mac and Ctrl elsewhere. Pure.
import type { CommandName } from './commands'

export interface Shortcut {
  readonly keys: string
  readonly label: string
  readonly group: 'App' | 'Message' | 'Conversation' | 'Sidebar'
  /** The command it runs from anywhere; absent where a view handles the key itself. */
  readonly command?: CommandName
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: 'Mod+N', label: 'New workspace', group: 'App', command: 'new-workspace' },
  { keys: 'Mod+O', label: 'Open a folder', group: 'App', command: 'open-project' },
  { keys: 'Mod+K', label: 'Command palette', group: 'App', command: 'open-palette' },
  { keys: 'Mod+,', label: 'Settings', group: 'App', command: 'open-settings' },
  { keys: 'Mod+B', label: 'Show or hide the sidebar', group: 'App', command: 'toggle-sidebar' },
  { keys: 'Mod+J', label: 'Show or hide the panel', group: 'App', command: 'toggle-panel' },
  { keys: 'Mod+F', label: 'Find in this workspace', group: 'App', command: 'find' },
  { keys: 'Mod+Shift+F', label: 'Search everywhere', group: 'App', command: 'search-everywhere' },
  { keys: 'F6', label: 'Next part of the window', group: 'App', command: 'next-region' },
  { keys: 'Mod+/', label: 'List of shortcuts', group: 'App', command: 'open-shortcuts' },
  { keys: 'Enter', label: 'Send; while the agent works, after this step', group: 'Message' },
  { keys: 'Mod+Enter', label: 'While the agent works, send after the turn', group: 'Message' },
  { keys: 'Shift+Enter', label: 'New line', group: 'Message' },
  { keys: '↑', label: 'Earlier messages, in an empty field', group: 'Message' },
  { keys: '@', label: 'Name a file of the project', group: 'Message' },
  { keys: 'Esc', label: 'Stop the agent', group: 'Conversation', command: 'interrupt' },
  { keys: 'Alt+↑', label: 'Turn before', group: 'Conversation' },
  { keys: 'Alt+↓', label: 'Turn after', group: 'Conversation' },
  { keys: '[', label: 'Window before', group: 'Conversation' },
  { keys: ']', label: 'Window after', group: 'Conversation' },
  { keys: 'End', label: 'Newest message', group: 'Conversation' },
  { keys: 'F2', label: 'Rename the workspace', group: 'Sidebar' },
  { keys: 'Delete', label: 'Delete the workspace', group: 'Sidebar' }
]

/** Keys as this platform writes them. */
export function writtenKeys(keys: string, platform: string): string {
  return keys.replace('Mod', platform === 'darwin' ? '⌘' : 'Ctrl')
}

/** The keys of a command as this platform writes them; empty when it has none. */
export function keysOf(command: CommandName, platform: string): string {
  const keys = SHORTCUTS.find((shortcut) => shortcut.command === command)?.keys
  return keys === undefined ? '' : writtenKeys(keys, platform)
}

export interface PressedKeys {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** The command of a key press, or null. */
export function commandOfKeys(press: PressedKeys, platform: string): CommandName | null {
  const modifier = platform === 'darwin' ? press.metaKey : press.ctrlKey
  const other = platform === 'darwin' ? press.ctrlKey : press.metaKey
  if (other || press.altKey) return null
  // A layout may need Shift for `/`; for letters and named keys Shift makes another shortcut.
  const shift = press.shiftKey && press.key !== '/' && press.key !== 'F6'
  const pressed = (modifier ? 'Mod+' : '') + (shift ? 'Shift+' : '') + nameOf(press.key)
  return SHORTCUTS.find((shortcut) => shortcut.keys === pressed)?.command ?? null
}

function nameOf(key: string): string {
  if (key === 'Escape') return 'Esc'
  return key.length === 1 ? key.toUpperCase() : key
}
