// Owns a diff on screen: numbers, signs and tint say what changed, so colour is never alone. Lines wrap.
import { memo, useMemo, useState } from 'react'
import { Button } from './button'
import { cx } from './cx'
import { countText } from './format'
import { parseDiff } from './parse-diff'
import type { DiffLine } from './parse-diff'

export interface DiffViewProps {
  /** A unified diff of one file. */
  readonly diff: string
}

/** Lines shown at first: more than any usual edit. */
const LINES_SHOWN = 400
const SIGNS: Record<DiffLine['kind'], string> = { context: ' ', added: '+', removed: '−', hunk: '', note: '' }
const TINTS: Record<DiffLine['kind'], string> = {
  context: '',
  added: 'bg-diff-added',
  removed: 'bg-diff-removed',
  hunk: 'text-quiet',
  note: 'text-quiet'
}

export const DiffView = memo(function DiffView({ diff }: DiffViewProps) {
  const [whole, setWhole] = useState(false)
  const { lines } = useMemo(() => parseDiff(diff), [diff])
  const shown = whole ? lines : lines.slice(0, LINES_SHOWN)
  const digits = lines.reduce((most, line) => Math.max(most, String(line.newNumber ?? line.oldNumber ?? '').length), 2)
  if (lines.length === 0) return <p className="px-3 py-2 text-small text-quiet">No difference.</p>
  return (
    <div dir="ltr" className="font-mono text-small">
      <table className="w-full table-fixed border-collapse">
        <colgroup>
          <col style={{ width: `calc(${digits}ch + 20px)` }} />
          <col style={{ width: '20px' }} />
          <col />
        </colgroup>
        <tbody>
          {shown.map((line, index) => (
            <DiffRow key={index} line={line} first={index === 0} />
          ))}
        </tbody>
      </table>
      {shown.length < lines.length && (
        <div className="border-t border-line px-2 py-1">
          <Button kind="quiet" small onClick={() => setWhole(true)}>
            Show {countText(lines.length - shown.length, 'more line')}
          </Button>
        </div>
      )}
    </div>
  )
})

function DiffRow({ line, first }: { readonly line: DiffLine; readonly first: boolean }) {
  if (line.kind === 'hunk' && first && line.text === '') return null
  return (
    <tr className={cx('align-top', TINTS[line.kind])}>
      <td className="pr-2 text-right text-quiet tabular-nums select-none">
        {line.kind === 'hunk' ? '⋯' : (line.newNumber ?? line.oldNumber)}
      </td>
      <td className="text-quiet select-none">
        {SIGNS[line.kind]}
        {line.kind === 'added' && <span className="sr-only">added</span>}
        {line.kind === 'removed' && <span className="sr-only">removed</span>}
      </td>
      <td className="pr-3 whitespace-pre-wrap wrap-anywhere">{textOf(line)}</td>
    </tr>
  )
}

function textOf(line: DiffLine) {
  if (line.changed === null) return line.text === '' ? ' ' : line.text
  const [start, end] = line.changed
  const strong = line.kind === 'added' ? 'bg-diff-added-strong' : 'bg-diff-removed-strong'
  return (
    <>
      {line.text.slice(0, start)}
      {end > start && <span className={cx('rounded-[2px]', strong)}>{line.text.slice(start, end)}</span>}
      {line.text.slice(end)}
    </>
  )
}
