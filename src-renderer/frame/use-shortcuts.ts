// Owns listening to the keyboard for the whole window. Views that handle a key themselves come first: what
// they prevented is left alone, and so is every key of an input method.
import { useEffect } from 'react'
import { useApp, useAppState } from '../store/app-context'
import { canRun, runCommand } from './commands'
import { commandOfKeys } from './shortcut-text'

export function useShortcuts(): void {
  const app = useApp()
  const platform = useAppState((state) => (state.start.kind === 'ready' ? state.start.facts.platform : ''))
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const command = commandOfKeys(event, platform)
      if (command === null || !canRun(app, command)) return
      event.preventDefault()
      runCommand(app, command, null)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [app, platform])
}
