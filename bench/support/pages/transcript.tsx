// A transcript of thousands of mixed rows: the product's, or the same rows in a bare virtua list.
// `?variant=` chooses; the benchmark mounts, turns the wheel and unmounts.
import { useEffect, useMemo, useRef, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { VList, type VListHandle } from 'virtua'
import { z } from 'zod'
import { buildDisplayRows, type DisplayRows } from '@common/rows/display-rows'
import type { Row } from '@common/rows/row-schema'
import { IDLE_STATUS } from '../../../src-renderer/store/session-state'
import { mixedRows } from '../../../src-renderer/testing/mixed-rows'
import { ItemView } from '../../../src-renderer/transcript/item-view'
import { NO_LIVE_STATE } from '../../../src-renderer/transcript/live-state'
import { Transcript } from '../../../src-renderer/transcript/transcript'
import { TranscriptActionsContext, type TranscriptActions } from '../../../src-renderer/transcript/transcript-actions'
import { DisclosureContext } from '../../../src-renderer/transcript/use-disclosure'
import { useTranscriptItems } from '../../../src-renderer/transcript/use-transcript-items'
import { afterPaint } from './after-paint'
import './bench.css'

export interface TranscriptPage {
  /** Mounts the rows from nothing; resolves when the last one is painted. Milliseconds. */
  mount(rows: number): Promise<number>
  unmount(): Promise<void>
  elements(): number
  /** Heights of the mounted rows, in screenfuls. */
  screenfuls(): number
}

z.config({ jitless: true })
const element = document.getElementById('root')
if (element === null) throw new Error('transcript.html has no #root')

const nothing = (): void => undefined
const refused = { ok: false, error: { kind: 'not-found', message: '' } } as const
const actions: TranscriptActions = {
  onOpenLink: nothing,
  onRetry: nothing,
  onApproval: nothing,
  onAnswer: nothing,
  onReadRaw: async () => refused,
  onReadSpill: async () => refused,
  onReadAttachment: async () => refused
}

/** The product: from rows to the screen. */
function Product({ rows }: { readonly rows: readonly Row[] }) {
  const items = useTranscriptItems({
    rows,
    busy: false,
    hasOlder: false,
    skippedLines: 0,
    debug: false,
    live: null,
    status: IDLE_STATUS,
    waiting: false
  })
  return (
    <div className="flex h-full flex-col">
      <Transcript
        rows={items.rows}
        tail={items.tail}
        live={NO_LIVE_STATE}
        state={{ kind: 'ready' }}
        hasOlder={false}
        olderState="idle"
        onNeedOlder={nothing}
        windowStarts={[]}
        canRetry={false}
        actions={actions}
      />
    </div>
  )
}

/** The same row views in a bare list: no keys, no focus, no following, no landmarks. */
function Bare({ display }: { readonly display: DisplayRows }) {
  const list = useRef<VListHandle>(null)
  const [memory] = useState(() => new Map())
  const children = useMemo(
    () =>
      display.items.map((item) => (
        <article key={item.key}>
          <div className="mx-auto max-w-card">
            <ItemView
              item={item}
              live={null}
              retryable={false}
              goesOn={false}
              windowNumber={null}
              endedStart={null}
              onShowRow={() => false}
            />
          </div>
        </article>
      )),
    [display]
  )
  useEffect(() => list.current?.scrollToIndex(children.length - 1, { align: 'end' }), [children])
  return (
    <TranscriptActionsContext value={actions}>
      <DisclosureContext value={memory}>
        <VList ref={list} data-testid="transcript">
          {children}
        </VList>
      </DisclosureContext>
    </TranscriptActionsContext>
  )
}

const variant = new URLSearchParams(location.search).get('variant')
let root: Root | null = null

const page: TranscriptPage = {
  async mount(count) {
    // New objects each time: nothing that was made for rows before may serve these.
    const rows = mixedRows(count)
    const display = variant === 'virtua' ? buildDisplayRows(displayInput(rows)) : null
    const last = `[data-row-id="${rows.findLast((row) => row.role === 'assistant' && row.parts.length > 0)?.id}"]`
    await afterPaint()
    const start = performance.now()
    root = createRoot(element)
    root.render(display === null ? <Product rows={rows} /> : <Bare display={display} />)
    do await afterPaint()
    while (document.querySelector(last) === null)
    return performance.now() - start
  },
  async unmount() {
    root?.unmount()
    await afterPaint()
  },
  elements: () => element.querySelectorAll('*').length,
  screenfuls() {
    const heights = [...element.querySelectorAll('article')].map((row) => row.getBoundingClientRect().height)
    const view = element.querySelector('[data-testid="transcript"]')?.clientHeight ?? Number.NaN
    return heights.reduce((sum, height) => sum + height, 0) / view
  }
}
Object.assign(globalThis, { bench: page })

function displayInput(rows: readonly Row[]) {
  return { rows, busy: false, hasOlder: false, skippedLines: 0, debug: false }
}
