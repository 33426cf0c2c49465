// Owns the meter: how much of the model's context is in use, where the ceiling is, what the last request
// was made of. Says which figure is an estimate, and nothing where the limit is not known.
import type { ReactNode } from 'react'
import type { UsageView, WorkspaceView } from '@common/contract/views'
import { Button } from '../ui/button'
import { cacheShareOf, workspaceCostText, shareOf, wholeTokensText } from './context-texts'

export interface ContextMeterProps {
  readonly usage: UsageView | null
  readonly workspace: WorkspaceView
  /** The limit of the chosen model; null when unknown. */
  readonly limit: number | null
  readonly onSetLimit: () => void
}

export function ContextMeter({ usage, workspace, limit, onSetLimit }: ContextMeterProps) {
  const maxTokens = usage?.maxTokens ?? limit
  const used = usage?.contextTokens ?? 0
  const share = shareOf(used, maxTokens)
  const cost = workspaceCostText(workspace)
  const cacheShare = usage === null ? null : cacheShareOf(usage)
  return (
    <section aria-labelledby="context-heading" data-testid="context-meter" className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-baseline justify-between gap-2">
        <h2 id="context-heading" className="text-small font-semibold">
          Context window
        </h2>
        {share !== null && usage !== null && <span className="text-small tabular-nums">{share} %</span>}
      </div>
      {maxTokens === null ? (
        <div className="flex flex-col items-start gap-2">
          <p className="text-small text-quiet">The limit of this model is not known, so nothing can warn before it.</p>
          <Button small onClick={onSetLimit}>
            Set the limit
          </Button>
        </div>
      ) : (
        <Bar used={used} maxTokens={maxTokens} hardCeiling={usage?.hardCeiling ?? null} />
      )}
      <p className="text-small text-quiet tabular-nums">
        {usage === null
          ? `Nothing was sent yet.${maxTokens === null ? '' : ` The model holds ${wholeTokensText(maxTokens)} tokens.`}`
          : `${usage.estimated ? 'About ' : ''}${wholeTokensText(used)}${maxTokens === null ? '' : ` of ${wholeTokensText(maxTokens)}`} tokens`}
      </p>
      {usage?.lastUsage && (
        <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 text-small tabular-nums">
          <Figure name="New input">
            {wholeTokensText(usage.lastUsage.inputTokens + usage.lastUsage.cacheWriteTokens)}
          </Figure>
          <Figure name="From the cache">
            {wholeTokensText(usage.lastUsage.cacheReadTokens)}
            {cacheShare !== null && <span className="text-quiet"> · {cacheShare} %</span>}
          </Figure>
          <Figure name="Output">{wholeTokensText(usage.lastUsage.outputTokens)}</Figure>
          {usage.hardCeiling !== null && <Figure name="Hard ceiling">{wholeTokensText(usage.hardCeiling)}</Figure>}
          {cost !== null && <Figure name="Cost">{cost}</Figure>}
        </dl>
      )}
    </section>
  )
}

function Bar({ used, maxTokens, hardCeiling }: { used: number; maxTokens: number; hardCeiling: number | null }) {
  const percent = Math.min(100, (used / maxTokens) * 100)
  const near = hardCeiling !== null && used >= hardCeiling * 0.9
  return (
    <div
      role="meter"
      aria-label="Context in use"
      aria-valuemin={0}
      aria-valuemax={maxTokens}
      aria-valuenow={used}
      aria-valuetext={`${wholeTokensText(used)} of ${wholeTokensText(maxTokens)} tokens`}
      className="relative h-2 overflow-hidden rounded-full border border-line-strong bg-sunken"
    >
      <div className={near ? 'h-full bg-warn' : 'h-full bg-accent'} style={{ width: `${percent}%` }} />
      {hardCeiling !== null && (
        <div
          className="absolute inset-y-0 w-0.5 bg-danger"
          style={{ left: `${(hardCeiling / maxTokens) * 100}%` }}
          title={`Hard ceiling: ${wholeTokensText(hardCeiling)} tokens`}
        />
      )}
    </div>
  )
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="text-right">{children}</dd>
    </>
  )
}
