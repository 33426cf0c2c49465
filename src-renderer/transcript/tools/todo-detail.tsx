// Owns a to-do list: three states told by sign, weight and words.
import { Check, Circle, CircleDot } from 'lucide-react'
import type { TodoItem } from '@common/tools/tool-contracts'
import { cx } from '../../ui/cx'
import { DetailNote } from './tool-parts'

const SIGNS = {
  completed: { Icon: Check, tint: 'text-ok', text: 'text-quiet', words: 'done' },
  in_progress: { Icon: CircleDot, tint: 'text-accent', text: 'font-medium', words: 'in progress' },
  pending: { Icon: Circle, tint: 'text-quiet', text: '', words: 'to do' }
} as const

export function TodoDetail({ items }: { readonly items: readonly TodoItem[] }) {
  if (items.length === 0) return <DetailNote tone="quiet">The list is empty.</DetailNote>
  return (
    <ul className="flex flex-col gap-1 px-3 py-2">
      {items.map((item, index) => {
        const { Icon, tint, text, words } = SIGNS[item.status]
        return (
          <li key={index} className="flex items-start gap-2 text-small">
            <Icon size={14} aria-hidden className={cx('mt-0.5 shrink-0', tint)} />
            <span dir="auto" className={cx('min-w-0 flex-1 wrap-anywhere', text)}>
              {item.content}
              <span className="sr-only">, {words}</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
