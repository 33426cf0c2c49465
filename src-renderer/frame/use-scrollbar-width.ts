// Owns telling the style sheet how much room a scrollbar takes here (0 where it floats), as `--scrollbar-width`.
import { useLayoutEffect } from 'react'

export function useScrollbarWidth(): void {
  useLayoutEffect(() => {
    const probe = document.createElement('div')
    probe.style.cssText =
      'position:absolute;width:50px;height:50px;overflow:auto;scrollbar-gutter:stable;visibility:hidden'
    document.body.append(probe)
    document.documentElement.style.setProperty('--scrollbar-width', `${probe.offsetWidth - probe.clientWidth}px`)
    probe.remove()
  }, [])
}
