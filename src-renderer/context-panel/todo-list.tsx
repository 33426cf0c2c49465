// Owns the agent's to-do list: what is done, what is under way, what comes.
import { Circle, CircleCheck, CircleDot } from 'lucide-react'
import type { TodoItem } from '@common/tools/tool-contracts'
import { cx } from '../ui/cx'

const STATES: Record<TodoItem['status'], { readonly icon: React.ReactNode; readonly word: string }> = {
  completed: { icon: <CircleCheck size={14} className="text-ok" />, word: 'done' },
  in_progress: { icon: <CircleDot size={14} className="text-accent" />, word: 'under way' },
  pending: { icon: <Circle size={14} className="text-quiet" />, word: 'to do' }
}

export function TodoList({ items }: { readonly items: readonly TodoItem[] }) {
  if (items.length === 0) return null
  const done = items.filter((item) => item.status === 'completed').length
  return (
    <section aria-labelledby="todo-heading" className="border-t border-line px-4 py-3">
      <div className="flex items-baseline justify-between gap-2 pb-2">
        <h2 id="todo-heading" className="text-small font-semibold">
          To do
        </h2>
        <span className="text-small text-quiet tabular-nums">
          {done} of {items.length}
        </span>
      </div>
      <ul className="flex flex-col gap-1.5">
        {items.map((item, index) => (
          <li key={`${index}-${item.content}`} className="flex items-start gap-2 text-small">
            <span className="mt-0.5 shrink-0">{STATES[item.status].icon}</span>
            <span className="sr-only">{STATES[item.status].word}: </span>
            <span
              dir="auto"
              className={cx(
                'min-w-0 wrap-anywhere',
                item.status === 'completed' && 'text-quiet',
                item.status === 'in_progress' && 'font-medium'
              )}
            >
              {item.content}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
