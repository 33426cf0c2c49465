// Owns the words with which a fresh window begins: what happened, what was asked, how to fetch the rest.
// Deterministic: the same rollover gives the same bytes. Ids in it are forms that outlive a rewrite.
import { LEAD_IN_RESULT_CHARS } from '@common/constants'
import type { OwningRequest } from '@common/rows/owning-request'
import type { RolloverReason } from '@common/rows/rollover-row'
import { isKnownPart, type Row, type ToolPart } from '@common/rows/row-schema'
import { NOTES_PATH } from '@common/memory/notes-path'

export interface LeadInFacts {
  readonly reason: RolloverReason
  readonly previousWindowId: string
  /** The request that the sealed window worked on. */
  readonly interrupted: OwningRequest | null
  /** The message that begins the fresh window; null for one that only goes on. */
  readonly input: OwningRequest | null
  readonly notesCarried: boolean
  /** A result too long to remember, as the newest step left it. */
  readonly sealedResult: SealedResult | null
}

export interface SealedResult {
  readonly toolName: string
  readonly itemId: string
}

/** The text of the lead-in. */
export function leadInText(facts: LeadInFacts): string {
  const { previousWindowId, interrupted, input, notesCarried, sealedResult } = facts
  const sentences = [
    `${openingOf(facts.reason)} What was said so far stands whole in window ${previousWindowId}.`,
    input === null ? null : requestSentence('The message to answer follows below', input),
    interrupted === null || interrupted.messageId === input?.messageId
      ? null
      : requestSentence(input === null ? 'The request to work on' : 'Before it the work was on', interrupted),
    facts.reason === 'mid-stream'
      ? 'Your turn was interrupted by this and goes on now; what its tools did is done, so do not repeat it.'
      : null,
    notesCarried ? `Your working notes (${NOTES_PATH}) are among the memories above, as you left them.` : null,
    `A session_history tool, if available, reaches window ${previousWindowId} and those before it: search it for details instead of guessing.`,
    sealedResult === null
      ? null
      : `The last result of ${sealedResult.toolName} was long; read it page by page with session_history {"action": "read_item", "item_id": "${sealedResult.itemId}"}.`
  ]
  return sentences.filter((sentence) => sentence !== null).join('\n')
}

/** The longest result of the window's newest answer, where it is too long to go without; null where none is. */
export function sealedResultOf(windowRows: readonly Row[]): SealedResult | null {
  const answer = windowRows.findLast((row) => row.role === 'assistant' && row.parts.length > 0)
  if (answer === undefined) return null
  const sized = answer.parts.flatMap((part) =>
    isKnownPart(part) && part.type === 'dynamic-tool' ? [{ part, chars: charsOf(part) }] : []
  )
  const longest = sized.reduce<{ part: ToolPart; chars: number } | null>(
    (most, next) => (most === null || next.chars > most.chars ? next : most),
    null
  )
  if (longest === null || longest.chars < LEAD_IN_RESULT_CHARS) return null
  const { historySequence } = answer.metadata
  return {
    toolName: longest.part.toolName,
    itemId: historySequence === undefined ? `m:${answer.id}` : `i:${historySequence}`
  }
}

function charsOf({ output, outputSpill }: ToolPart): number {
  return outputSpill?.bytes ?? JSON.stringify(output)?.length ?? 0
}

function openingOf(reason: RolloverReason): string {
  switch (reason) {
    case 'context-exceeded':
      return 'The context window before this one could not take the request any more, so a fresh window began here.'
    case 'on-send':
    case 'mid-stream':
      return 'The context window before this one was full, so it rolled over and a fresh window began here.'
  }
}

function requestSentence(opening: string, { messageId, quote, isCut }: OwningRequest): string {
  const words = quote.replaceAll('“', '"').replaceAll('”', '"')
  return `${opening} (m:${messageId}): “${words}${isCut ? '…' : ''}”${isCut ? ' (cut here)' : ''}`
}
