// Owns time and cost of a turn: one quiet line that opens to the figures behind it.
import type { TurnSummary } from '@common/rows/display-items'
import { costText, durationText } from '../../ui/format'
import { Popover } from '../../ui/popover'
import { summaryText } from './row-texts'

export function TurnFacts({ turn }: { readonly turn: TurnSummary }) {
  const text = summaryText(turn)
  if (text === '') return null
  return (
    <Popover
      label="This turn"
      trigger={
        <button
          type="button"
          className="rounded-small px-1 text-micro text-quiet tabular-nums transition-colors hover:bg-hover hover:text-text touch:h-11"
        >
          {text}
        </button>
      }
    >
      <dl className="grid min-w-56 grid-cols-[1fr_auto] gap-x-6 gap-y-1 text-small">
        {factsOf(turn).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="text-right wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Popover>
  )
}

function factsOf({ durationMs, costUsd, steps, usage, model }: TurnSummary): Array<readonly [string, string]> {
  const count = (value: number) => value.toLocaleString('en')
  const facts: Array<readonly [string, string | null]> = [
    ['Model', model],
    ['Time', durationMs === null ? null : durationText(durationMs)],
    ['Cost', costUsd === null ? 'not known' : costText(costUsd)],
    ['Steps', steps === 0 ? null : count(steps)],
    ['Input tokens', usage === null ? null : count(usage.inputTokens)],
    ['From cache', usage === null ? null : count(usage.cacheReadTokens)],
    ['To cache', usage === null ? null : count(usage.cacheWriteTokens)],
    ['Output tokens', usage === null ? null : count(usage.outputTokens)],
    ['of which reasoning', usage === null || usage.reasoningTokens === 0 ? null : count(usage.reasoningTokens)]
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}
