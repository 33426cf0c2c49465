// Owns what a model thought: one quiet line, opened on demand.
import { ChevronRight } from 'lucide-react'
import { cx } from '../../ui/cx'
import { Markdown } from '../../ui/markdown/markdown'
import { useDisclosure } from '../use-disclosure'

export interface ReasoningProps {
  readonly id: string
  readonly text: string
  readonly streaming: boolean
}

export function Reasoning({ id, text, streaming }: ReasoningProps) {
  const [open, turn] = useDisclosure(`reasoning:${id}`)
  return (
    <div className="max-w-text">
      <button
        type="button"
        aria-expanded={open}
        onClick={turn}
        className="-mx-1.5 flex h-6 max-w-full items-center gap-1.5 rounded-small px-1.5 text-small text-quiet transition-colors hover:bg-hover hover:text-text touch:h-11"
      >
        <ChevronRight size={12} aria-hidden className={cx('shrink-0 transition-transform', open && 'rotate-90')} />
        <span className="shrink-0">{streaming ? 'Thinking' : 'Thought'}</span>
        {!open && <span className="min-w-0 truncate text-quiet">{firstWords(text)}</span>}
      </button>
      {open && (
        <div className="mt-1 border-s-2 border-line ps-3 text-quiet">
          <Markdown text={text} streaming={streaming} className="text-small" />
        </div>
      )}
    </div>
  )
}

/** The first line without its markers, as much as a line shows. */
function firstWords(text: string): string {
  const line = text.trimStart().split('\n', 1)[0] ?? ''
  return line.replace(/[*_`#>]/g, '').slice(0, 160)
}
