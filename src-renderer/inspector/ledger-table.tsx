// Owns the ledger on screen: a line for each window, its models where there are several, cut rows, and the sum. A table
// where there is room, else one block a line.
import { Fragment } from 'react'
import type { LedgerLine, LedgerView } from '@common/contract/inspector-views'
import { wholeTokensText } from '../context-panel/context-texts'
import { costText, countText } from '../ui/format'
import { cx } from '../ui/cx'
import { elsewhereUsd, lineCostText, sectionsText } from './inspector-texts'

export interface LedgerTableProps {
  readonly ledger: LedgerView
  /** Shows the requests of a window. */
  readonly onWindow: (windowId: string) => void
}

interface Line extends LedgerLine {
  /** Its input by section, in words. */
  readonly sections: string | null
  readonly key: string
  readonly name: string
  readonly windowId: string | null
  readonly tone: 'line' | 'part' | 'sum'
}

const FIGURES = [
  ['Requests', 'requests'],
  ['Fresh', 'fresh'],
  ['From the cache', 'cached'],
  ['Into the cache', 'written'],
  ['Output', 'output']
] as const

export function LedgerTable({ ledger, onWindow }: LedgerTableProps) {
  const lines = linesOf(ledger)
  const rest = elsewhereUsd(ledger)
  const { copied } = ledger
  return (
    <div className="flex max-w-240 flex-col gap-3 px-4 py-3">
      <table className="hidden w-full border-collapse text-small tabular-nums narrow:table">
        <thead>
          <tr className="border-b border-line text-micro text-quiet">
            <th scope="col" className="py-1.5 text-left font-medium">
              Window
            </th>
            {FIGURES.map(([name]) => (
              <th key={name} scope="col" className="py-1.5 pl-3 text-right font-medium">
                {name}
              </th>
            ))}
            <th scope="col" className="py-1.5 pl-3 text-right font-medium">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Fragment key={line.key}>
              <tr className={cx('border-line not-first:border-t', TONES[line.tone])}>
                <th scope="row" className={cx('py-1.5 text-left', NAME_TONES[line.tone])}>
                  <LineName line={line} onWindow={onWindow} />
                </th>
                {FIGURES.map(([name, field]) => (
                  <td key={name} className="py-1.5 pl-3 text-right">
                    {wholeTokensText(line[field])}
                  </td>
                ))}
                <td className="py-1.5 pl-3 text-right whitespace-nowrap">{lineCostText(line)}</td>
              </tr>
              {line.sections !== null && (
                <tr className="text-micro text-quiet">
                  <td colSpan={FIGURES.length + 2} className="pb-1.5">
                    {line.sections}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      <ul className="flex flex-col text-small tabular-nums narrow:hidden">
        {lines.map((line) => (
          <li key={line.key} className="border-b border-line py-2 last:border-b-0">
            <div className={cx('flex items-center justify-between gap-3', TONES[line.tone])}>
              <span className={line.tone === 'part' ? 'min-w-0 pl-4 wrap-anywhere' : 'font-medium'}>
                <LineName line={line} onWindow={onWindow} />
              </span>
              <span className="shrink-0">{lineCostText(line)}</span>
            </div>
            {line.tone !== 'part' && (
              <dl className="grid grid-cols-[1fr_auto] gap-x-3 text-quiet">
                {FIGURES.map(([name, field]) => (
                  <Fragment key={name}>
                    <dt>{name}</dt>
                    <dd className="text-right">{wholeTokensText(line[field])}</dd>
                  </Fragment>
                ))}
              </dl>
            )}
            {line.sections !== null && <p className="pt-1 text-micro text-quiet">{line.sections}</p>}
          </li>
        ))}
      </ul>
      <p className="text-small text-quiet tabular-nums">
        {rest === null
          ? sumText(ledger)
          : `This workspace says that it cost ${costText(ledger.workspaceUsd)}: ${signedCost(rest)} stands in no row that can be read.`}
        {copied.requests > 0 &&
          ` ${countText(copied.requests, 'request')} for ${lineCostText(copied)} were paid by the conversation that this one is a copy of.`}
      </p>
    </div>
  )
}

const NAME_TONES: Record<Line['tone'], string> = {
  line: 'font-medium',
  part: 'pl-4 font-normal',
  sum: 'font-semibold'
}
const TONES: Record<Line['tone'], string> = { line: '', part: 'text-quiet', sum: 'font-semibold' }

function LineName({ line, onWindow }: { readonly line: Line; readonly onWindow: (windowId: string) => void }) {
  const { name, windowId } = line
  if (windowId === null) return name
  return (
    <button
      type="button"
      onClick={() => onWindow(windowId)}
      className="rounded-small underline decoration-line-strong underline-offset-2 transition-colors hover:decoration-current touch:min-h-11"
    >
      {name}
    </button>
  )
}

function linesOf({ windows, older, cut, total }: LedgerView): Line[] {
  const lines: Line[] = []
  if (older !== null)
    lines.push({
      ...older,
      key: 'older',
      name: countText(older.windows, 'older window'),
      windowId: null,
      tone: 'line',
      sections: null
    })
  for (const { windowId, number, models, sections, ...figures } of windows) {
    const words = sections === null ? null : sectionsText(sections)
    lines.push({ ...figures, key: windowId, name: `Window ${number}`, windowId, tone: 'line', sections: words })
    if (models.length < 2) continue
    for (const { model, ...part } of models)
      lines.push({ ...part, key: `${windowId} ${model}`, name: model, windowId: null, tone: 'part', sections: null })
  }
  if (cut.requests > 0 || cut.costUsd > 0)
    lines.push({ ...cut, key: 'cut', name: 'Cut rows', windowId: null, tone: 'line', sections: null })
  lines.push({ ...total, key: 'total', name: 'All', windowId: null, tone: 'sum', sections: null })
  return lines
}

function sumText({ total, workspaceUsd }: LedgerView): string {
  if (total.unpriced === 0) return `The sum is what this workspace cost, ${costText(workspaceUsd)}.`
  const missing = `The price of ${countText(total.unpriced, 'request')} is not known`
  return workspaceUsd === 0
    ? `${missing}, so there is no sum.`
    : `${missing}; the others sum to what this workspace notes, ${costText(workspaceUsd)}.`
}

function signedCost(usd: number): string {
  return usd < 0 ? `−${costText(-usd)}` : costText(usd)
}
