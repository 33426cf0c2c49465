// Owns what stands over a request's content: which it is, whether it is proved, what it took and what its prefix kept.
import { CircleAlert, ShieldCheck, Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { InspectedContent } from '@common/contract/inspector-views'
import { wholeTokensText } from '../context-panel/context-texts'
import { timeText } from '../ui/format'
import { useNow } from '../ui/use-now'
import { kindText, outcomeText, percentText, prefixText, priceText } from './inspector-texts'

export interface RequestHeadProps {
  readonly content: InspectedContent
  /** `Window 2`. */
  readonly windowName: string
}

export function RequestHead({ content, windowName }: RequestHeadProps) {
  const { request, proof } = content
  const { usage, hitShare, prefix, brokenBy } = request
  const nowMs = useNow(false)
  const facts = [kindText(request), outcomeText(request), windowName, request.model, timeText(request.atMs, nowMs)]
  return (
    <div className="flex flex-col gap-2">
      <div>
        <h3 className="text-body font-semibold tabular-nums">Request {request.requestSequence}</h3>
        <p className="text-small text-quiet tabular-nums wrap-anywhere">{facts.join(' · ')}</p>
      </div>
      {proof.kind === 'identical' ? (
        <p className="flex items-start gap-1.5 text-small">
          <ShieldCheck size={14} aria-hidden className="mt-0.5 shrink-0 text-ok" />
          Built again from the history, and identical to what was sent.
        </p>
      ) : (
        <Note icon={<CircleAlert size={14} aria-hidden className="mt-0.5 shrink-0 text-warn" />}>
          This is not all that was sent. {proof.message}
        </Note>
      )}
      {brokenBy !== null && (
        <Note icon={<Unlink size={14} aria-hidden className="mt-0.5 shrink-0 text-warn" />}>
          The cached prefix broke here. {brokenBy}
        </Note>
      )}
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(104px,1fr))] gap-x-4 gap-y-2 text-small tabular-nums">
        {usage !== null && (
          <>
            <Figure name="Fresh input">{wholeTokensText(usage.fresh)}</Figure>
            <Figure name="From the cache">{wholeTokensText(usage.cached)}</Figure>
            <Figure name="Into the cache">{wholeTokensText(usage.written)}</Figure>
            <Figure name="Output">{wholeTokensText(usage.output)}</Figure>
          </>
        )}
        {hitShare !== null && <Figure name="Cache hit share">{percentText(hitShare)}</Figure>}
        {prefix !== null && <Figure name="Stable prefix">{prefixText(prefix)}</Figure>}
        <Figure name="Cost">{priceText(request.costUsd)}</Figure>
      </dl>
    </div>
  )
}

function Note({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <p role="note" className="flex gap-2 rounded-regular bg-warn-surface px-3 py-2 text-small wrap-anywhere">
      {icon}
      <span className="min-w-0">{children}</span>
    </p>
  )
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-micro text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
