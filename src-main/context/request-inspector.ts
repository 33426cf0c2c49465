// Owns what a person may ask about requests that were sent (V-3): the list, one request by section, its texts page by
// page, and where a text stands in it. Reads alone. The request looked at last is kept, so that its pages are quick.
import { contextTokensOf } from '@common/budget/usage'
import type { RequestFailure } from '@common/contract/bridge'
import type {
  InspectedContent,
  InspectedPage,
  InspectedPart,
  InspectedRequest,
  InspectedText
} from '@common/contract/inspector-views'
import { MAX_INSPECTED_TEXT_CHARS, MESSAGES_AN_INSPECTED_PAGE } from '@common/constants'
import { costOfUsage } from '@common/costs/cost-of-usage'
import type { ModelInfo } from '@common/models/model-info'
import { err, ok, type Result } from '@common/result'
import { fileErrorOf } from '../files/file-error'
import { openAttachments } from '../history/attachments'
import type { HistoryFiles } from '../history/history-files'
import { contentOf } from './inspected-content'
import { type RebuiltRequest, rebuildRequest } from './rebuild-request'
import { textOfPart } from './inspected-pieces'
import { type FoundRequest, type IndexedRequest, RequestIndex } from './request-index'
import type { LoggedRequest } from './request-log-reader'
import { addSections, divideBySection, type SectionBytes } from './section-bytes'
import type { TokenCounter } from './token-counter'

export interface InspectorDeps {
  readonly files: HistoryFiles
  readonly counter: TokenCounter
  /** Null for a provider that is not configured any more. */
  modelInfo(modelRef: string): ModelInfo | null
}

type Asked<T> = Promise<Result<T, RequestFailure>>

/** A request built again, and the one before it. */
export interface LookedAt {
  readonly found: FoundRequest
  readonly rebuilt: RebuiltRequest
  readonly before: RebuiltRequest | null
}

export class RequestInspector {
  readonly #deps: InspectorDeps
  readonly #index: RequestIndex
  #kept: LookedAt | null = null

  constructor(deps: InspectorDeps) {
    this.#deps = deps
    this.#index = new RequestIndex(deps.files)
  }

  /** Requests of one window or of all (null), newest first, those before a sequence (null begins at the newest). */
  async page(windowId: string | null, before: number | null, limit: number): Asked<InspectedPage> {
    const all = await this.#index.all()
    if (!all.ok) return all
    const { requests, damagedLines } = all.value
    const fitting = windowId === null ? requests : requests.filter((each) => each.windowId === windowId)
    const end = before === null ? fitting.length : fitting.findLastIndex((each) => each.requestSequence < before) + 1
    const start = Math.max(0, end - limit)
    const page = fitting.slice(start, end).toReversed()
    return ok({
      requests: page.map((each) => this.#viewOf(each)),
      before: start === 0 ? null : (page.at(-1)?.requestSequence ?? null),
      total: fitting.length,
      damagedLines
    })
  }

  /**
   * How the input of each window divides by section: tokens of its requests, each divided by the bytes of what it held.
   * A window of which no request is known whole is missing.
   */
  async inputBySection(): Asked<ReadonlyMap<string, SectionBytes>> {
    const all = await this.#index.all()
    if (!all.ok) return all
    const windows = new Map<string, SectionBytes>()
    for (const { windowId, sectionBytes, end } of all.value.requests) {
      if (sectionBytes === null || end?.usage === undefined) continue
      const own = divideBySection(contextTokensOf(end.usage), sectionBytes)
      const before = windows.get(windowId)
      windows.set(windowId, before === undefined ? own : addSections(before, own))
    }
    return ok(windows)
  }

  /** One request from message `from` on; built anew, so that it tells of the files as they are now. */
  async content(requestSequence: number, from: number): Asked<InspectedContent> {
    const looked = await this.#lookAt(requestSequence, from > 0)
    if (!looked.ok) return looked
    const { found } = looked.value
    const encoding = this.#deps.modelInfo(found.indexed.model)?.encoding ?? ''
    const using = { encoding, counter: this.#deps.counter }
    const page = { from, to: from + MESSAGES_AN_INSPECTED_PAGE }
    return ok({ request: this.#viewOf(found.indexed), ...(await contentOf(looked.value, page, using)) })
  }

  /** A page of one piece's text. */
  async text(requestSequence: number, piece: InspectedPart, offset: number): Asked<InspectedText> {
    const looked = await this.#lookAt(requestSequence, true)
    if (!looked.ok) return looked
    const text = textOfPart(looked.value.rebuilt, piece)
    if (text === null) return err({ kind: 'not-found', message: 'That piece of the request is not on disk any more.' })
    const end = endOfPage(text, offset)
    return ok({ text: text.slice(offset, end), nextOffset: end < text.length ? end : null, totalChars: text.length })
  }

  /** The pieces in which a text stands, in any case, in the order in which they were sent. */
  async find(requestSequence: number, query: string): Asked<InspectedPart[]> {
    const looked = await this.#lookAt(requestSequence, true)
    if (!looked.ok) return looked
    const { rebuilt } = looked.value
    const wanted = query.toLowerCase()
    const pieces: InspectedPart[] = [
      ...(['system', 'memories', 'notes'] as const).map((part) => ({ part, index: 0 })),
      ...rebuilt.tools.map((_, index) => ({ part: 'tool' as const, index })),
      ...rebuilt.messages.map((_, index) => ({ part: 'message' as const, index }))
    ]
    return ok(pieces.filter((piece) => textOfPart(rebuilt, piece)?.toLowerCase().includes(wanted) === true))
  }

  async #lookAt(requestSequence: number, mayBeKept: boolean): Asked<LookedAt> {
    const kept = this.#kept
    if (mayBeKept && kept?.found.indexed.requestSequence === requestSequence) return ok(kept)
    const found = await this.#index.find(requestSequence)
    if (!found.ok) return found
    try {
      const { logged, previous } = found.value
      const rebuilt = await this.#rebuild(logged)
      const before = previous === null ? null : await this.#rebuild(previous)
      this.#kept = { found: found.value, rebuilt, before }
      return ok(this.#kept)
    } catch (cause) {
      const { message } = fileErrorOf(cause, 'build the request again', this.#deps.files.paths.root)
      return err({ kind: 'io', message })
    }
  }

  #rebuild(logged: LoggedRequest): Promise<RebuiltRequest> {
    const attachments = openAttachments(this.#deps.files.paths.attachments)
    return rebuildRequest(this.#deps.files, logged, (part) => attachments.read(part))
  }

  #viewOf(indexed: IndexedRequest): InspectedRequest {
    const { requestSequence, kind, attempt, model, windowId, atMs, messages, prefix, brokenBy, end } = indexed
    const usage = end?.usage ?? null
    const input = usage === null ? 0 : contextTokensOf(usage)
    return {
      requestSequence,
      kind,
      attempt,
      model,
      windowId,
      atMs,
      outcome: end?.outcome ?? 'unknown',
      failure: end?.failure ?? null,
      messages,
      usage: usage && {
        fresh: usage.inputTokens,
        cached: usage.cacheReadTokens,
        written: usage.cacheWriteTokens,
        output: usage.outputTokens
      },
      hitShare: usage === null || input === 0 ? null : usage.cacheReadTokens / input,
      prefix,
      brokenBy,
      costUsd: usage && costOfUsage(usage, this.#deps.modelInfo(model)?.price ?? null)
    }
  }
}

/** Never between the halves of a pair. */
function endOfPage(text: string, offset: number): number {
  const end = Math.min(offset + MAX_INSPECTED_TEXT_CHARS, text.length)
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length ? end - 1 : end
}
