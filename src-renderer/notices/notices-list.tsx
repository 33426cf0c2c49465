// Owns the list of notices to read again, newest first.
import type { NoticeEntry } from '../store/app-state'
import { relativeTime, wholeTime } from '../frame/relative-time'
import { Button } from '../ui/button'
import { cx } from '../ui/cx'

export interface NoticesListProps {
  readonly entries: readonly NoticeEntry[]
  readonly nowMs: number
  readonly onClear: () => void
}

const EDGES: Record<NoticeEntry['notice']['level'], string> = {
  info: 'border-l-accent',
  warning: 'border-l-warn',
  error: 'border-l-danger'
}
const LEVELS: Record<NoticeEntry['notice']['level'], string> = { info: 'Note', warning: 'Warning', error: 'Problem' }

export function NoticesList({ entries, nowMs, onClear }: NoticesListProps) {
  if (entries.length === 0) return <p className="text-small text-quiet">No notices.</p>
  return (
    <>
      <div className="flex items-center justify-between pb-2">
        <h2 className="text-small font-semibold">Notices</h2>
        <Button small kind="quiet" onClick={onClear}>
          Clear
        </Button>
      </div>
      <ul className="flex flex-col gap-2">
        {entries.toReversed().map(({ notice }) => (
          <li key={notice.id} className={cx('border-l-2 pl-3', EDGES[notice.level])}>
            <p className="text-small wrap-anywhere">{notice.message}</p>
            <p className="text-micro text-quiet">
              {LEVELS[notice.level]} · <time title={wholeTime(notice.atMs)}>{relativeTime(notice.atMs, nowMs)}</time>
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}
