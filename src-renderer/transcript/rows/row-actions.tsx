// Owns what can be done with a row (U-9): shown on hover and on focus, always reachable by keyboard; under a
// finger one button stays, whose menu has them all.
import { Braces, Copy, Ellipsis, GitFork, Pencil, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { usesOf } from '@common/rows/row-kinds'
import type { Row } from '@common/rows/row-schema'
import { CopyButton, copyText } from '../../ui/copy-button'
import { cx } from '../../ui/cx'
import { IconButton } from '../../ui/icon-button'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu'
import { useTranscriptActions } from '../transcript-actions'
import { DeleteRowDialog } from './delete-row-dialog'
import { RawDialog } from './raw-dialog'

export interface RowActionsProps {
  readonly row: Row
  /** What copying the row gives. */
  readonly text: () => string
  readonly className?: string
}

export function RowActions({ row, text, className }: RowActionsProps) {
  const { onEditRow, onForkRow, onDeleteRow } = useTranscriptActions()
  const [dialog, setDialog] = useState<'raw' | 'delete' | null>(null)
  const [menu, setMenu] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const editWanted = useRef(false)
  const { editAnchor, screen } = usesOf(row)
  const edit = onEditRow === undefined || !editAnchor || screen !== 'message' ? null : () => onEditRow(row)
  const fork = onForkRow === undefined || screen !== 'message' ? null : () => onForkRow(row)
  return (
    <div
      className={cx(
        'flex shrink-0 items-center transition-opacity touch:-my-2.5',
        'opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 touch:opacity-100',
        menu && 'opacity-100',
        className
      )}
    >
      <CopyButton text={text} label="Copy message" testId="row-copy" className="touch:hidden" />
      {edit !== null && (
        <IconButton
          small
          label="Edit from here"
          icon={<Pencil size={13} />}
          data-testid="row-edit"
          onClick={edit}
          className="touch:hidden"
        />
      )}
      {fork !== null && (
        <IconButton
          small
          label="Fork from here"
          icon={<GitFork size={14} />}
          data-testid="row-fork"
          onClick={fork}
          className="touch:hidden"
        />
      )}
      <Menu
        label="Message"
        open={menu}
        onOpenChange={setMenu}
        onClosed={(event) => {
          if (!editWanted.current) return
          // Editing goes on in the composer: the focus does not come back here.
          editWanted.current = false
          event.preventDefault()
          edit?.()
        }}
        trigger={<IconButton ref={more} small label="More" icon={<Ellipsis size={14} />} data-testid="row-menu" />}
      >
        <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={() => void copyText(text())}>
          Copy
        </MenuItem>
        {edit !== null && (
          <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => (editWanted.current = true)}>
            Edit from here
          </MenuItem>
        )}
        {fork !== null && (
          <MenuItem icon={<GitFork size={14} aria-hidden />} onSelect={fork}>
            Fork from here
          </MenuItem>
        )}
        <MenuItem icon={<Braces size={14} aria-hidden />} testId="row-raw" onSelect={() => setDialog('raw')}>
          Show raw
        </MenuItem>
        {onDeleteRow !== undefined && (
          <>
            <MenuSeparator />
            <MenuItem
              danger
              icon={<Trash2 size={14} aria-hidden />}
              testId="row-delete"
              onSelect={() => setDialog('delete')}
            >
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {dialog === 'raw' && <RawDialog rowId={row.id} returnTo={more} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && onDeleteRow !== undefined && (
        <DeleteRowDialog returnTo={more} onDelete={() => onDeleteRow(row)} onClose={() => setDialog(null)} />
      )}
    </div>
  )
}
