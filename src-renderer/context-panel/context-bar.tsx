// Owns the bar of the meter: what is in use, and where the agent is warned, the window ends and the model stops.
import { cx } from '../ui/cx'
import { wholeTokensText } from './context-texts'
import { endText } from './threshold-texts'
import { percentOf, type WindowMarks } from './window-marks'

export interface ContextBarProps {
  /** Tokens in use. */
  readonly used: number
  readonly marks: WindowMarks
}

export function ContextBar({ used, marks }: ContextBarProps) {
  const { maxTokens, hardCeiling, warningPoint, endPoint, atEnd } = marks
  const isNear = used >= (warningPoint ?? endPoint)
  return (
    <div
      role="meter"
      aria-label="Context in use"
      aria-valuemin={0}
      aria-valuemax={maxTokens}
      aria-valuenow={Math.min(used, maxTokens)}
      aria-valuetext={`${wholeTokensText(used)} of ${wholeTokensText(maxTokens)} tokens, ${endText(marks)}`}
      className="relative py-1"
    >
      <div className="h-2 overflow-hidden rounded-full border border-line-strong bg-sunken">
        <div
          className={cx('h-full', isNear ? 'bg-warn' : 'bg-accent')}
          style={{ width: `${Math.min(100, (used / maxTokens) * 100)}%` }}
        />
      </div>
      {warningPoint !== null && <Mark kind="warning" at={warningPoint} maxTokens={maxTokens} />}
      {atEnd !== 'stops' && <Mark kind="threshold" at={endPoint} maxTokens={maxTokens} />}
      <Mark kind="ceiling" at={hardCeiling} maxTokens={maxTokens} />
    </div>
  )
}

type MarkKind = 'warning' | 'threshold' | 'ceiling'

/** Told apart by form, not by colour alone: the warning is dotted, the ceiling is thick. */
const MARKS: Record<MarkKind, string> = {
  warning: 'border-l-2 border-dotted border-text',
  threshold: 'border-l-2 border-text',
  ceiling: 'border-l-3 border-danger'
}

function Mark({ kind, at, maxTokens }: { readonly kind: MarkKind; readonly at: number; readonly maxTokens: number }) {
  return (
    <span
      data-mark={kind}
      data-tokens={at}
      className={cx('absolute inset-y-0 -translate-x-1/2', MARKS[kind])}
      style={{ left: `${(at / maxTokens) * 100}%` }}
    />
  )
}

/** What the marks mean, for those who see them. */
export function MarkLegend({ marks }: { readonly marks: WindowMarks }) {
  const { warningPoint, endPoint, hardCeiling, atEnd } = marks
  const lines: Array<readonly [MarkKind, string, number]> = [
    ...(warningPoint === null ? [] : [['warning', 'Asks for notes', warningPoint] as const]),
    ...(atEnd === 'stops' ? [] : [['threshold', atEnd === 'compacts' ? 'Compacts' : 'Rolls over', endPoint] as const]),
    ['ceiling', 'Hard ceiling', hardCeiling]
  ]
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-micro text-quiet tabular-nums">
      {lines.map(([kind, name, tokens]) => (
        <li key={kind} className="flex items-center gap-1.5">
          <span aria-hidden className={cx('h-3', MARKS[kind])} />
          {name} {percentOf(tokens, marks)} %
        </li>
      ))}
    </ul>
  )
}
