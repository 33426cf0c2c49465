// Owns what a logged request shares with the one before it, and the sentence that says what broke its prefix (V-1, L-4).
// Pure; it knows digests alone.
import { prefixChange, type PrefixChange, type PrefixRequest } from './prefix-change'
import type { LoggedRequest } from './request-log-reader'

/** What `next` shares with `previous`; null where one of them is not known whole. */
export function prefixOf(previous: LoggedRequest, next: LoggedRequest): PrefixChange | null {
  const [before, now] = [digestOf(previous), digestOf(next)]
  return before === null || now === null ? null : prefixChange(before, now)
}

/** Names what changed first, and why where the log tells; null where the request only adds to the one before. */
export function prefixBreakText(previous: LoggedRequest, next: LoggedRequest, change: PrefixChange): string | null {
  const { first } = change
  if (first === null) return null
  const what = changeText(previous, next, first)
  const why = reasonText(previous, next)
  return why === null ? what : `${why} ${what}`
}

function changeText(
  previous: LoggedRequest,
  next: LoggedRequest,
  { part, index, role }: NonNullable<PrefixChange['first']>
): string {
  const at = index ?? 0
  switch (part) {
    case 'model':
      return `The model changed from ${previous.envelope.model} to ${next.envelope.model}, which has a cache of its own.`
    case 'tool':
      return toolText(previous.tools?.[at]?.name, next.tools?.[at]?.name)
    case 'system':
      return previous.envelope.system.sha256 === next.envelope.system.sha256
        ? goneToolsText(previous, next)
        : 'The system text is the first that changed.'
    case 'message':
      return `Message ${at + 1} (${role ?? 'unknown'}) is the first that changed.`
  }
}

/** The system text is as it was, and stands where tools stood. */
function goneToolsText(previous: LoggedRequest, next: LoggedRequest): string {
  const offered = new Set(next.tools?.map(({ name }) => name) ?? [])
  const gone = (previous.tools ?? []).map(({ name }) => name).filter((name) => !offered.has(name))
  return `No longer offered: ${gone.join(', ')}.`
}

function toolText(was: string | undefined, is: string | undefined): string {
  if (was === is) return `The schema of the tool ${is ?? 'without a name'} is the first that changed.`
  if (is === undefined) return `The tool ${was ?? 'without a name'} is no longer offered.`
  if (was === undefined) return `The tool ${is} is offered now.`
  return `The list of tools changed: ${is} stands where ${was} was.`
}

function reasonText({ envelope: before }: LoggedRequest, { envelope: now }: LoggedRequest): string | null {
  if (before.windowId !== now.windowId) return 'A fresh window began.'
  if (before.kind !== now.kind && before.kind === 'compaction') return 'The request before was for a summary.'
  return null
}

function digestOf({ envelope: { model, system }, messages, tools }: LoggedRequest): PrefixRequest | null {
  return messages === null || tools === null ? null : { model, system, messages, tools }
}
