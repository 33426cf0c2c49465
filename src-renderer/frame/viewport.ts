// Owns the three shapes of the frame: one column, sidebar beside it, panel beside that too. The widths are
// those of ui/tokens.css (`narrow`, `wide`).
import { useSyncExternalStore } from 'react'

export type Viewport = 'narrow' | 'middle' | 'wide'

const NARROW = '(width < 720px)'
const WIDE = '(width >= 1100px)'

/** The shape at this moment. */
export function viewportNow(): Viewport {
  if (matchMedia(NARROW).matches) return 'narrow'
  return matchMedia(WIDE).matches ? 'wide' : 'middle'
}

/** The shape, renewed when the window crosses a width. */
export function useViewport(): Viewport {
  return useSyncExternalStore(subscribe, viewportNow)
}

/** True when this side is a sheet over the page instead of a column beside it. */
export function isSheet(side: 'sidebar' | 'panel', viewport: Viewport): boolean {
  return side === 'sidebar' ? viewport === 'narrow' : viewport !== 'wide'
}

function subscribe(listener: () => void): () => void {
  const queries = [matchMedia(NARROW), matchMedia(WIDE)]
  for (const query of queries) query.addEventListener('change', listener)
  return () => {
    for (const query of queries) query.removeEventListener('change', listener)
  }
}
