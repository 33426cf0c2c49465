// Owns the mark before a workspace: shape and colour both differ, and the word is there for screen readers.
import { STATUS_WORDS, type WorkspaceStatus } from './workspace-status'

export function StatusMark({ status }: { readonly status: WorkspaceStatus }) {
  return (
    <span className="inline-flex size-4 shrink-0 items-center justify-center" title={STATUS_WORDS[status]}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden>
        {SHAPES[status]}
      </svg>
      <span className="sr-only">{STATUS_WORDS[status]}</span>
    </span>
  )
}

const SHAPES: Record<WorkspaceStatus, React.ReactNode> = {
  idle: <circle cx="6" cy="6" r="2.75" fill="none" stroke="var(--line-strong)" strokeWidth="1.25" />,
  unread: <circle cx="6" cy="6" r="3.5" fill="var(--accent)" />,
  running: (
    <>
      <circle cx="6" cy="6" r="4.5" fill="none" stroke="var(--accent)" strokeWidth="1.5" />
      <path d="M6 1.5 A4.5 4.5 0 0 1 6 10.5 Z" fill="var(--accent)" />
    </>
  ),
  waiting: (
    <>
      <path d="M6 0.5 L11.5 6 L6 11.5 L0.5 6 Z" fill="var(--warn)" />
      <path d="M6 3.2 V6.6 M6 8.1 V8.9" stroke="var(--surface)" strokeWidth="1.3" />
    </>
  )
}
