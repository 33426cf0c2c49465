// Owns what can be done with a row (U-9): shown on hover and on focus, always reachable by keyboard; under a
// finger one button stays. What is not built has no place here; new actions go into the menu, copying stays first.
import { Braces, Copy, Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Row } from '@common/rows/row-schema'
import { CopyButton, copyText } from '../../ui/copy-button'
import { cx } from '../../ui/cx'
import { IconButton } from '../../ui/icon-button'
import { Menu, MenuItem } from '../../ui/menu'
import { RawDialog } from './raw-dialog'

export interface RowActionsProps {
  readonly row: Row
  /** What copying the row gives. */
  readonly text: () => string
  readonly className?: string
}

export function RowActions({ row, text, className }: RowActionsProps) {
  const [raw, setRaw] = useState(false)
  const [menu, setMenu] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
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
      <Menu
        label="Message"
        open={menu}
        onOpenChange={setMenu}
        trigger={<IconButton ref={more} small label="More" icon={<Ellipsis size={14} />} data-testid="row-menu" />}
      >
        <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={() => void copyText(text())}>
          Copy
        </MenuItem>
        <MenuItem icon={<Braces size={14} aria-hidden />} testId="row-raw" onSelect={() => setRaw(true)}>
          Show raw
        </MenuItem>
      </Menu>
      {raw && <RawDialog rowId={row.id} returnTo={more} onClose={() => setRaw(false)} />}
    </div>
  )
}
