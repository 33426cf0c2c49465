// Owns running time on screen: tabular digits, once a second, no animation.
import { elapsedText } from './format'
import { useNow } from './use-now'

export function Elapsed({ sinceMs }: { readonly sinceMs: number }) {
  const nowMs = useNow(true)
  return <span className="tabular-nums">{elapsedText(nowMs - sinceMs)}</span>
}
