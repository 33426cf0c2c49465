// Owns the tokens of a request by section: a bar each, so that the eye finds the large ones.
import type { InspectedContent } from '@common/contract/inspector-views'
import { wholeTokensText } from '../context-panel/context-texts'
import { percentText } from './inspector-texts'

const NAMES = [
  ['system', 'System'],
  ['tools', 'Tools'],
  ['memories', 'Memories'],
  ['notes', 'Notes'],
  ['messages', 'Messages'],
  ['toolResults', 'Tool results'],
  ['files', 'Pictures and documents']
] as const

export function SectionTokens({ sections, estimated }: Pick<InspectedContent, 'sections' | 'estimated'>) {
  if (sections === null)
    return <p className="text-small text-quiet">Its tokens cannot be counted now; the texts below are complete.</p>
  const lines = NAMES.map(([section, name]) => ({ name, tokens: sections[section] ?? 0 })).filter(
    ({ tokens }) => tokens > 0
  )
  const all = lines.reduce((sum, { tokens }) => sum + tokens, 0)
  return (
    <div className="flex flex-col gap-1">
      <dl className="grid grid-cols-[auto_1fr_auto_auto] items-center gap-x-3 gap-y-1 text-small tabular-nums">
        {lines.map(({ name, tokens }) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
              <div className="h-full rounded-full bg-accent" style={{ width: `${(tokens / all) * 100}%` }} />
            </dd>
            <dd className="text-right">{wholeTokensText(tokens)}</dd>
            <dd className="min-w-10 text-right text-quiet">{percentText(tokens / all)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-micro text-quiet tabular-nums">
        {wholeTokensText(all)} tokens,{' '}
        {estimated ? 'counted with a stand-in: this model’s own tokenizer is not public.' : 'counted here.'}
      </p>
    </div>
  )
}
