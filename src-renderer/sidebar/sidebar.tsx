// Owns the sidebar's layout: search, filter, projects with their workspaces, what can be opened. Props in, JSX out.
import { FolderOpen, ListFilter, Plus, Search, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'
import { moveFocusByArrow } from './move-focus'

export interface SidebarProps {
  readonly filter: string
  readonly onFilter: (filter: string) => void
  /** Shown only when there is something to filter. */
  readonly filterable: boolean
  readonly archivedShown: boolean
  readonly onArchivedShown: (shown: boolean) => void
  /** Looks through every conversation. */
  readonly onSearch: () => void
  readonly onNewWorkspace: () => void
  readonly onOpenFolder: () => void
  readonly onOpenSettings: () => void
  readonly shortcuts: { readonly search: string; readonly newWorkspace: string; readonly settings: string }
  /** What stands where the projects are when there are none. */
  readonly empty: string | null
  readonly children: ReactNode
}

export function Sidebar(props: SidebarProps) {
  return (
    <div className="flex h-full min-h-0 w-full flex-col bg-sunken">
      {props.empty === null && (
        <div className="flex shrink-0 flex-col px-2 pt-2 pb-1">
          <Button
            kind="quiet"
            className="justify-start"
            data-testid="search-everything"
            icon={<Search size={15} />}
            title={props.shortcuts.search}
            onClick={props.onSearch}
          >
            Search everything
          </Button>
        </div>
      )}
      {props.filterable && (
        <div className="mx-2 mb-2 flex h-8 shrink-0 items-center gap-2 rounded-regular border border-line bg-surface px-2 touch:h-11">
          <ListFilter size={14} className="shrink-0 text-quiet" aria-hidden />
          <input
            type="search"
            aria-label="Filter workspaces by title"
            placeholder="Filter"
            value={props.filter}
            onChange={(event) => props.onFilter(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || props.filter === '') return
              event.preventDefault()
              props.onFilter('')
            }}
            className="min-w-0 flex-1 bg-transparent text-small outline-none"
          />
        </div>
      )}
      {/* The keys of the list move the focus; the list itself does nothing. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <nav
        aria-label="Workspaces"
        onKeyDown={moveFocusByArrow}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-2 pb-2"
      >
        {props.empty === null ? props.children : <p className="px-2 py-3 text-small text-quiet">{props.empty}</p>}
      </nav>
      <div className="flex shrink-0 flex-col gap-0.5 border-t border-line p-2">
        <Button
          kind="quiet"
          className="justify-start text-text"
          data-testid="new-workspace"
          icon={<Plus size={15} />}
          title={props.shortcuts.newWorkspace}
          onClick={props.onNewWorkspace}
        >
          New workspace
        </Button>
        <div className="flex items-center gap-0.5">
          <Button
            kind="quiet"
            className="flex-1 justify-start"
            icon={<FolderOpen size={15} />}
            onClick={props.onOpenFolder}
          >
            Open a folder
          </Button>
          <IconButton
            label="Settings"
            shortcut={props.shortcuts.settings}
            data-testid="open-settings"
            icon={<Settings size={15} />}
            onClick={props.onOpenSettings}
          />
        </div>
        {props.empty === null && (
          <label className="flex min-h-7 items-center gap-2 px-3 text-micro text-quiet touch:min-h-11">
            <input
              type="checkbox"
              checked={props.archivedShown}
              onChange={(event) => props.onArchivedShown(event.target.checked)}
              className="accent-accent-fill"
            />
            Show archived
          </label>
        )}
      </div>
    </div>
  )
}
