// Owns the frame's shape (U-1): sidebar, conversation, panel side by side, or one column with sheets. Slots
// in, JSX out. Each part is a region of its own for F6.
import type { ReactNode } from 'react'
import { Sheet } from '../ui/sheet'
import { isSheet, type Viewport } from './viewport'

export interface FrameProps {
  readonly viewport: Viewport
  readonly sidebarShown: boolean
  readonly panelShown: boolean
  readonly sheet: 'sidebar' | 'panel' | null
  readonly onCloseSheet: () => void
  readonly sidebar: ReactNode
  /** Null when nothing is open that it could tell of. */
  readonly panel: ReactNode | null
  /** Strips over everything, header, conversation and composer. */
  readonly main: ReactNode
}

export function Frame(props: FrameProps) {
  const { viewport, sidebar, panel, sheet, onCloseSheet } = props
  const sidebarSheet = isSheet('sidebar', viewport)
  const panelSheet = isSheet('panel', viewport)
  return (
    <div className="flex h-dvh w-full overflow-hidden bg-surface text-text">
      {!sidebarSheet && props.sidebarShown && (
        <aside aria-label="Sidebar" data-region className="flex w-66 shrink-0 border-r border-line">
          {sidebar}
        </aside>
      )}
      <main data-region className="flex min-h-0 min-w-0 flex-1 flex-col">
        {props.main}
      </main>
      {!panelSheet && props.panelShown && panel !== null && (
        <aside aria-label="Panel" data-region className="flex w-80 shrink-0 flex-col border-l border-line">
          {panel}
        </aside>
      )}
      <Sheet
        side="left"
        label="Sidebar"
        open={sidebarSheet && sheet === 'sidebar'}
        onOpenChange={(open) => !open && onCloseSheet()}
      >
        {sidebar}
      </Sheet>
      <Sheet
        side="right"
        label="Panel"
        open={panelSheet && sheet === 'panel' && panel !== null}
        onOpenChange={(open) => !open && onCloseSheet()}
      >
        {panel}
      </Sheet>
    </div>
  )
}
