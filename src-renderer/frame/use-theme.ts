// Owns telling the page its theme: the person's choice, or none so that the system decides.
import { useEffect } from 'react'
import { useAppState } from '../store/app-context'

export function useTheme(): void {
  const theme = useAppState((state) => state.settings.theme)
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset['theme']
    else dataset['theme'] = theme
  }, [theme])
}
