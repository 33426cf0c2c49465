// Owns the bell: opening it shows the notices, closing it marks them as read.
import { useState } from 'react'
import { NoticesIcon } from '../header/header'
import { useNowEvery } from '../frame/use-now-every'
import { clearNotices, markNoticesRead } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { IconButton } from '../ui/icon-button'
import { Popover } from '../ui/popover'
import { NoticesList } from './notices-list'

export function NoticesButton() {
  const app = useApp()
  const entries = useAppState((state) => state.notices)
  const [open, setOpen] = useState(false)
  const nowMs = useNowEvery(30_000)
  const unread = entries.filter((entry) => !entry.read).length
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        if (!next) markNoticesRead(app)
      }}
      label="Notices"
      align="end"
      className="w-88"
      trigger={
        <IconButton
          label={unread === 0 ? 'Notices' : `Notices, ${unread} unread`}
          tooltipSide="bottom"
          icon={<NoticesIcon unread={unread} />}
        />
      }
    >
      <NoticesList entries={entries} nowMs={nowMs} onClear={() => clearNotices(app)} />
    </Popover>
  )
}
