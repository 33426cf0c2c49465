// Owns the bar over the conversation: what is open, and the switches of the sides. Props in, JSX out.
import { Bell, PanelLeft, PanelRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/icon-button'

export interface HeaderProps {
  readonly title: string
  /** The project's name and, as a title, its folder; null when none is open. */
  readonly project: { readonly name: string; readonly path: string } | null
  readonly sidebarShown: boolean
  /** Null when there is no panel to show. */
  readonly panelShown: boolean | null
  readonly onToggleSidebar: () => void
  readonly onTogglePanel: () => void
  readonly shortcuts: { readonly sidebar: string; readonly panel: string }
  /** The notices button with its popover. */
  readonly notices: ReactNode
}

export function Header(props: HeaderProps) {
  const { title, project } = props
  return (
    <header className="flex h-11 shrink-0 items-center gap-1 border-b border-line px-2 touch:h-12">
      <IconButton
        label={props.sidebarShown ? 'Hide the sidebar' : 'Show the sidebar'}
        shortcut={props.shortcuts.sidebar}
        tooltipSide="bottom"
        aria-expanded={props.sidebarShown}
        icon={<PanelLeft size={16} />}
        onClick={props.onToggleSidebar}
      />
      <div className="flex min-w-0 flex-1 items-baseline gap-2 px-1">
        <h1 dir="auto" title={title} className="min-w-0 truncate text-small font-semibold">
          {title}
        </h1>
        {project !== null && (
          <span title={project.path} className="max-w-40 min-w-0 shrink-2 truncate text-small text-quiet">
            {project.name}
          </span>
        )}
      </div>
      {props.notices}
      {props.panelShown !== null && (
        <IconButton
          label={props.panelShown ? 'Hide the panel' : 'Show the panel'}
          shortcut={props.shortcuts.panel}
          tooltipSide="bottom"
          aria-expanded={props.panelShown}
          icon={<PanelRight size={16} />}
          onClick={props.onTogglePanel}
        />
      )}
    </header>
  )
}

export interface NoticesButtonProps {
  readonly unread: number
}

/** The bell; it says in words how many notices were not read. */
export function NoticesIcon({ unread }: NoticesButtonProps) {
  return (
    <span className="relative inline-flex">
      <Bell size={16} />
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute -top-1.5 -right-2 min-w-4 rounded-full bg-accent-fill px-1 text-center text-micro leading-4 text-on-accent tabular-nums"
        >
          {Math.min(unread, 99)}
        </span>
      )}
    </span>
  )
}
