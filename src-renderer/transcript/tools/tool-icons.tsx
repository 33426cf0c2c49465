// Owns the sign of each tool and of each state. Signs repeat what words say; they are hidden from screen readers.
import {
  Ban,
  Check,
  CircleAlert,
  CircleDashed,
  CircleQuestionMark,
  FilePen,
  FilePlus,
  FileText,
  FolderSearch,
  Globe,
  Hand,
  History,
  ListTodo,
  NotebookPen,
  Search,
  Square,
  SquareTerminal,
  Users,
  Wrench,
  X
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { cx } from '../../ui/cx'
import type { ToolCardState } from './tool-state'

const TOOL_ICONS: Readonly<Record<string, LucideIcon>> = {
  bash: SquareTerminal,
  file_read: FileText,
  file_write: FilePlus,
  file_edit: FilePen,
  glob: FolderSearch,
  grep: Search,
  todo: ListTodo,
  ask_user: CircleQuestionMark,
  memory: NotebookPen,
  session_history: History,
  web_fetch: Globe,
  task: Users
}

const STATE_ICONS: Readonly<Record<Exclude<ToolCardState, 'running'>, readonly [LucideIcon, string]>> = {
  asking: [Hand, 'text-warn'],
  question: [CircleQuestionMark, 'text-warn'],
  done: [Check, 'text-ok'],
  failed: [X, 'text-danger'],
  error: [CircleAlert, 'text-danger'],
  denied: [Ban, 'text-quiet'],
  interrupted: [Square, 'text-quiet'],
  unfinished: [CircleDashed, 'text-quiet']
}

export function ToolIcon({ toolName }: { readonly toolName: string }) {
  const Icon = (Object.hasOwn(TOOL_ICONS, toolName) ? TOOL_ICONS[toolName] : undefined) ?? Wrench
  return <Icon size={14} aria-hidden className="shrink-0 text-quiet" />
}

export function StateIcon({ state }: { readonly state: ToolCardState }) {
  if (state === 'running') return <span aria-hidden className="mx-1 size-1.5 shrink-0 rounded-full bg-accent" />
  const [Icon, tint] = STATE_ICONS[state]
  return <Icon size={14} aria-hidden className={cx('shrink-0', tint)} />
}
