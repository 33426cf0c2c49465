// Owns the strip that says the app runs on the older test runtime. It can be closed until the next start.
import { TriangleAlert, X } from 'lucide-react'
import { dismiss } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { IconButton } from '../ui/icon-button'

export function RuntimeStrip() {
  const app = useApp()
  const shown = useAppState(
    (state) => state.start.kind === 'ready' && state.start.facts.runtimeFallback && !state.dismissed['runtime']
  )
  if (!shown) return null
  return (
    <div role="status" className="flex shrink-0 items-center gap-2 bg-warn-surface py-1 pr-1 pl-3 text-small">
      <TriangleAlert size={14} className="shrink-0 text-warn" aria-hidden />
      <p className="min-w-0 flex-1">
        This is an older test runtime without security updates. Use it to try Tidemark, not for daily work.
      </p>
      <IconButton small label="Close this note" icon={<X size={14} />} onClick={() => dismiss(app, 'runtime')} />
    </div>
  )
}
