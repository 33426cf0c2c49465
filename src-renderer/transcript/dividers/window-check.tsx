// Owns what a tide line says of the window that ended there: its rows, whether they are still what was written, and,
// opened, the way to have them read again.
import { CircleAlert, ShieldCheck } from 'lucide-react'
import { Button } from '../../ui/button'
import { cx } from '../../ui/cx'
import type { EndedWindow } from './use-window-check'
import { checkText, sealText, type WindowCheck } from './window-check-texts'

/** On the line itself, such as `window 2: 148 rows · verified`. */
export function WindowSeal({ check, number }: { readonly check: WindowCheck | null; readonly number: number | null }) {
  const good = check?.kind === 'verified'
  return (
    <span
      data-testid="window-seal"
      data-check={check?.kind ?? 'checking'}
      className="relative bg-surface px-2 whitespace-nowrap tabular-nums"
    >
      {number === null ? 'window before: ' : `window ${number}: `}
      <span className={cx(check !== null && !good && 'font-medium text-warn')}>
        {check !== null && <CheckIcon good={good} />}
        {sealText(check)}
      </span>
    </span>
  )
}

/** Under the line, only where something is wrong: which row differs first. */
export function WindowWarning({ check }: { readonly check: WindowCheck | null }) {
  if (check === null || check.kind === 'verified') return null
  return (
    <p
      role="note"
      data-testid="window-warning"
      className="mt-1 mb-1 flex max-w-text gap-2 rounded-regular bg-warn-surface px-3 py-2 text-small text-text wrap-anywhere"
    >
      <CircleAlert size={14} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <span>{check.message}</span>
    </p>
  )
}

/** In the opened line: reads the window again. What it finds wrong stands in the warning. */
export function VerifyWindow({ asked, verify }: Pick<EndedWindow, 'asked' | 'verify'>) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button small data-testid="verify-window" disabled={asked === 'running'} onClick={verify}>
        Verify
      </Button>
      <output className={cx('min-w-0 flex-1 basis-40 wrap-anywhere', toneOf(asked))}>
        {asked !== null && asked !== 'running' && <CheckIcon good={asked.kind === 'verified'} />}
        {asked === null || asked === 'running' ? 'Reads the window before this line again.' : checkText(asked)}
      </output>
    </span>
  )
}

function toneOf(asked: EndedWindow['asked']): string {
  if (asked === null || asked === 'running') return 'text-quiet'
  return asked.kind === 'verified' ? 'text-ok' : 'text-warn'
}

function CheckIcon({ good }: { readonly good: boolean }) {
  const Icon = good ? ShieldCheck : CircleAlert
  return <Icon size={12} aria-hidden className="mr-1 inline align-[-2px]" />
}
