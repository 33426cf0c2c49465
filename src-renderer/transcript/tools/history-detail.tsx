// Owns the detail of session_history (U-7): hits under their window, windows, or a page of an item, and what the
// result says of its own limits.
import { useMemo } from 'react'
import {
  SessionHistoryOutput,
  type HistoryHit,
  type HistoryItem,
  type HistoryWindow
} from '@common/tools/session-history-contract'
import type { ToolPart } from '@common/rows/row-schema'
import { timeText } from '../../ui/format'
import { MarkedText } from '../../ui/marked-text'
import { ScrollBox } from '../../ui/scroll-box'
import { useNow } from '../../ui/use-now'
import { GenericDetail } from './generic-detail'
import { historyNotices, hitsByWindow, speakerText, WINDOW_KINDS, windowFacts } from './history-texts'
import { listField, textField } from './tool-fields'
import { DetailNote } from './tool-parts'

export function HistoryDetail({ part }: { readonly part: ToolPart }) {
  const { output } = part
  const read = useMemo(() => SessionHistoryOutput.safeParse(output), [output])
  if (textField(output, 'error') !== null) return <HistoryError output={output} />
  if (!read.success) return <GenericDetail part={part} />
  const result = read.data
  const end = { exhausted: result.exhausted, skipped: result.skipped_oversized_rows, goesOn: result.cursor !== null }
  const notices = historyNotices(end, 'windows' in result ? 'windows' : 'hits')
  return (
    <>
      {'windows' in result && <Windows windows={result.windows} />}
      {'items' in result && <Hits hits={result.items} query={textField(part.input, 'query') ?? ''} />}
      {'item' in result &&
        (result.item === null ? (
          <DetailNote tone="quiet">The item was not reached yet; the search for it goes on.</DetailNote>
        ) : (
          <ItemPage item={result.item} />
        ))}
      {notices.map((notice) => (
        <DetailNote key={notice} tone="quiet">
          {notice}
        </DetailNote>
      ))}
    </>
  )
}

function Hits({ hits, query }: { readonly hits: readonly HistoryHit[]; readonly query: string }) {
  if (hits.length === 0) return <DetailNote tone="quiet">No hit.</DetailNote>
  return (
    <ScrollBox label="Hits" className="max-h-80 py-1">
      <div>
        {hitsByWindow(hits).map(([windowId, inWindow]) => (
          <section key={windowId} className="px-3 py-1">
            <h4 className="text-micro font-medium text-quiet">
              Window <span className="font-mono">{windowId}</span>
            </h4>
            <ul className="flex flex-col">
              {inWindow.map((hit, index) => (
                <li key={index} className="flex flex-col gap-x-3 py-1 text-small narrow:flex-row">
                  <span className="flex w-24 shrink-0 gap-2 text-micro leading-[18px] text-quiet tabular-nums">
                    <span className="font-mono">{hit.sequence === null ? hit.item_id : `#${hit.sequence}`}</span>
                    <span className="truncate">{speakerText(hit.role, hit.tool_name)}</span>
                  </span>
                  <span dir="auto" className="min-w-0 flex-1 whitespace-pre-wrap wrap-anywhere">
                    <MarkedText text={hit.snippet} query={query} />
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </ScrollBox>
  )
}

function Windows({ windows }: { readonly windows: readonly HistoryWindow[] }) {
  const nowMs = useNow(false)
  if (windows.length === 0) return <DetailNote tone="quiet">No window.</DetailNote>
  return (
    <ScrollBox label="Windows" className="max-h-80 px-3 py-2">
      <ul className="flex flex-col gap-2">
        {windows.map((window) => (
          <li key={window.window_id} className="text-small">
            <p className="flex flex-wrap gap-x-2">
              <span className="font-mono font-medium">{window.window_id}</span>
              <span className="text-quiet tabular-nums">
                {WINDOW_KINDS[window.kind]} · {windowFacts(window)}
                {window.started_at !== null && ` · ${timeText(Date.parse(window.started_at), nowMs)}`}
              </span>
              {window.current && <span className="font-medium text-accent">current</span>}
            </p>
            {window.opening !== '' && (
              <p dir="auto" className="line-clamp-2 wrap-anywhere">
                {window.opening}
              </p>
            )}
          </li>
        ))}
      </ul>
    </ScrollBox>
  )
}

function ItemPage({ item }: { readonly item: HistoryItem }) {
  const number = (value: number) => value.toLocaleString('en')
  const end = item.next_offset_chars ?? item.total_chars
  const whole = item.offset_chars === 0 && item.next_offset_chars === null
  return (
    <>
      <p className="px-3 pt-2 text-micro text-quiet tabular-nums">
        Window <span className="font-mono">{item.window_id}</span> · {speakerText(item.role, null)}
        {!whole && end !== null && (
          <>
            {' '}
            · characters {number(item.offset_chars)}–{number(end)}
            {item.total_chars !== null && ` of ${number(item.total_chars)}`}
          </>
        )}
      </p>
      <ScrollBox label={`Text of ${item.item_id}`} className="max-h-80 px-3 py-2">
        <p dir="auto" className="max-w-(--container-text) text-body whitespace-pre-wrap wrap-anywhere">
          {item.text}
        </p>
      </ScrollBox>
      {item.text === '' && <DetailNote tone="quiet">This page is empty.</DetailNote>}
      {item.next_offset_chars !== null && <DetailNote tone="quiet">The item goes on.</DetailNote>}
    </>
  )
}

function HistoryError({ output }: { readonly output: unknown }) {
  const hint = textField(output, 'restart_hint')
  return (
    <>
      <DetailNote tone="danger">{textField(output, 'message') ?? textField(output, 'error')}</DetailNote>
      {hint !== null && <DetailNote tone="quiet">{hint}</DetailNote>}
      {listField(output, 'candidates').map((candidate, index) => (
        <DetailNote key={index} tone="quiet">
          {textField(candidate, 'item_id')} · {textField(candidate, 'opening')}
        </DetailNote>
      ))}
    </>
  )
}
