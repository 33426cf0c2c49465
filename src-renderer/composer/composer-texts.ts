// Owns the composer's words and numbers: sizes, levels, modes, hints. Pure.
import type { QueueMode } from '@common/contract/views'
import type { ModelInfo } from '@common/models/model-info'
import type { ApprovalMode, ThinkingLevel } from '@common/settings/settings-schema'
import type { ProviderView } from '@common/settings/provider-schema'

export const APPROVAL_MODES: ReadonlyArray<{ value: ApprovalMode; label: string; hint: string }> = [
  { value: 'ask', label: 'Ask', hint: 'before edits and commands' },
  { value: 'accept-edits', label: 'Accept edits', hint: 'ask before commands' },
  { value: 'auto', label: 'Auto', hint: 'ask only for risky steps' }
]

const THINKING_LEVELS: Readonly<Record<ThinkingLevel, string>> = {
  off: 'No thinking',
  low: 'Think a little',
  medium: 'Think',
  high: 'Think hard'
}

/** What can be chosen. A model that cannot stop thinking thinks least; another level it lacks is its provider's choice. */
export function thinkingOptions(
  levels: readonly ThinkingLevel[],
  chosen: ThinkingLevel
): ReadonlyArray<{ readonly value: ThinkingLevel; readonly label: string }> {
  const offered = levels.map((level) => ({ value: level, label: THINKING_LEVELS[level] }))
  if (levels.includes(chosen)) return offered
  return [{ value: chosen, label: chosen === 'off' ? 'Least thinking' : 'Default thinking' }, ...offered]
}

export const QUEUE_MODES: Readonly<Record<QueueMode, string>> = {
  'tool-end': 'after this step',
  'turn-end': 'after the turn'
}

/** What a message meets that is sent now. */
export type ComposerMoment = 'idle' | 'turn' | 'summary'

/** What the empty field says. */
export function placeholderOf(moment: ComposerMoment, command: string): string {
  switch (moment) {
    case 'idle':
      return 'Ask for anything in this project. @ names a file'
    case 'turn':
      return `Add a message: Enter sends it after this step, ${command}+Enter after the turn`
    case 'summary':
      return 'Add a message: it waits behind the summary and goes into the new window'
  }
}

/** The name of the send button. */
export const SEND_LABELS: Readonly<Record<ComposerMoment, string>> = {
  idle: 'Send',
  turn: 'Queue after this step',
  summary: 'Queue behind the summary'
}

/** A context limit in few characters: `24k`, `1M`; empty when unknown. */
export function shortLimit(tokens: number | null): string {
  if (tokens === null) return ''
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(1))}M`
  return tokens >= 1_000 ? `${Math.round(tokens / 1_000)}k` : String(tokens)
}

/** A model's name for the picker's button; a demo model says so. */
export function modelLabel(model: ModelInfo | null, modelRef: string): string {
  if (model === null) return modelRef
  return model.providerId === 'demo' ? `${model.name.replace(/ \(demo\)$/i, '')} · Demo` : model.name
}

export interface ModelGroup {
  readonly providerId: string
  readonly name: string
  /** Why its models cannot be used yet; null when they can. */
  readonly unavailable: string | null
  readonly models: readonly ModelInfo[]
}

/** Models by provider, ready ones first. */
export function groupModels(models: readonly ModelInfo[], providers: readonly ProviderView[]): ModelGroup[] {
  const groups = new Map<string, ModelInfo[]>()
  for (const model of models) groups.set(model.providerId, [...(groups.get(model.providerId) ?? []), model])
  return [...groups]
    .map(([providerId, ofProvider]): ModelGroup => {
      const provider = providers.find((each) => each.id === providerId)
      const name = provider?.name ?? providerId
      const ready = ofProvider.some((model) => model.available)
      return { providerId, name, models: ofProvider, unavailable: ready ? null : `${name} has no key yet` }
    })
    .toSorted((a, b) => Number(a.unavailable !== null) - Number(b.unavailable !== null))
}
