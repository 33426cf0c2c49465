// Owns one workspace in the sidebar: mark, title, age; F2 renames it in place, Delete asks to delete it.
import { Archive, ArchiveRestore, Ellipsis, FolderSymlink, Pencil, Trash2 } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import type { WorkspaceView } from '@common/contract/views'
import { relativeTime, wholeTime } from '../frame/relative-time'
import { cx } from '../ui/cx'
import { IconButton } from '../ui/icon-button'
import { REVEAL } from '../ui/reveal'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu'
import { StatusMark } from './status-mark'
import { TitleEditor } from './title-editor'
import { statusOf } from './workspace-status'

export interface WorkspaceItemProps {
  readonly workspace: WorkspaceView
  readonly selected: boolean
  readonly nowMs: number
  readonly onSelect: () => void
  readonly onRename: (title: string) => void
  readonly onArchive: (archived: boolean) => void
  readonly onDelete: () => void
  /** Offered where the project's folder is missing. */
  readonly onRelocate: () => void
}

export function WorkspaceItem(props: WorkspaceItemProps) {
  const { workspace, selected, nowMs, onSelect } = props
  const [renaming, setRenaming] = useState(false)
  const status = statusOf(workspace, selected)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2') setRenaming(true)
    else if (event.key === 'Delete') props.onDelete()
    else return
    event.preventDefault()
  }
  if (renaming)
    return (
      <li className="px-1 py-0.5">
        <TitleEditor title={workspace.title} onSave={props.onRename} onClose={() => setRenaming(false)} />
      </li>
    )
  return (
    <li className={cx('group relative flex items-center rounded-regular', selected ? 'bg-hover' : 'hover:bg-hover')}>
      <button
        type="button"
        data-arrow
        data-testid="sidebar-workspace"
        aria-current={selected ? 'true' : undefined}
        onClick={onSelect}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={onKeyDown}
        className="flex h-8 min-w-0 flex-1 items-center gap-1.5 rounded-regular pr-2 pl-4 text-left text-small focus-visible:-outline-offset-2 touch:h-11"
      >
        <StatusMark status={status} />
        <span
          dir="auto"
          className={cx(
            'min-w-0 flex-1 truncate',
            status === 'unread' && 'font-semibold',
            workspace.archived && 'text-quiet'
          )}
        >
          {workspace.title || 'New workspace'}
        </span>
        {workspace.archived && <span className="text-micro text-quiet">archived</span>}
        <time
          dateTime={new Date(workspace.updatedAtMs).toISOString()}
          title={wholeTime(workspace.updatedAtMs)}
          className="shrink-0 text-micro text-quiet tabular-nums group-hover:invisible group-focus-within:invisible touch:visible!"
        >
          {relativeTime(workspace.updatedAtMs, nowMs)}
        </time>
      </button>
      <WorkspaceMenu {...props} onRenaming={() => setRenaming(true)} />
    </li>
  )
}

function WorkspaceMenu(props: WorkspaceItemProps & { readonly onRenaming: () => void }) {
  const { workspace } = props
  const label = `Actions for ${workspace.title || 'this workspace'}`
  return (
    <Menu
      label={label}
      align="end"
      trigger={
        <IconButton
          small
          label={label}
          icon={<Ellipsis size={14} />}
          className={cx(REVEAL, 'absolute right-1 touch:static')}
        />
      }
    >
      <MenuItem icon={<Pencil size={14} />} shortcut="F2" onSelect={props.onRenaming}>
        Rename
      </MenuItem>
      <MenuItem
        icon={workspace.archived ? <ArchiveRestore size={14} /> : <Archive size={14} />}
        onSelect={() => props.onArchive(!workspace.archived)}
      >
        {workspace.archived ? 'Take out of the archive' : 'Archive'}
      </MenuItem>
      {!workspace.projectReadable && (
        <MenuItem icon={<FolderSymlink size={14} />} onSelect={props.onRelocate}>
          Point to the moved folder
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 size={14} />} shortcut="Delete" onSelect={props.onDelete}>
        Delete
      </MenuItem>
    </Menu>
  )
}
