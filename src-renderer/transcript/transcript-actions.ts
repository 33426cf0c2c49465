// Owns what the transcript asks of its surroundings. It holds no bridge: a container gives these, and
// keeps the object the same from render to render, or every row on screen draws again.
import { createContext, useContext } from 'react'
import type { Answer } from '@common/contract/bridge'
import type { RequestOutput } from '@common/contract/requests'
import type { Row } from '@common/rows/row-schema'
import type { ApprovalAnswer } from '@common/tools/approval'
import type { WindowChecker } from './dividers/window-checker'

export interface TranscriptActions {
  /** An http, https or mailto address that the person followed. */
  readonly onOpenLink: (url: string) => void
  /** Sends the last turn's input again. */
  readonly onRetry: () => void
  readonly onApproval: (approvalId: string, answer: ApprovalAnswer) => void
  /** Null says that the person does not answer. */
  readonly onAnswer: (questionId: string, answer: string | null) => void
  readonly onReadRaw: (rowId: string) => Promise<Answer<RequestOutput<'row.raw'>>>
  readonly onReadSpill: (spillId: string, offset: number) => Promise<Answer<RequestOutput<'spill.read'>>>
  readonly onReadAttachment: (sha256: string) => Promise<Answer<RequestOutput<'attachment.read'>>>
  /** Puts the words of a message that was not sent (its row's parts are empty) back into the composer; absent
   * where there is none. */
  readonly onEditNotSent?: (row: Row, text: string) => void
  /** Puts a message into the composer, to be sent in its place; absent where nothing can be changed. */
  readonly onEditRow?: (row: Row) => void
  /** Opens a copy of the conversation up to this row. */
  readonly onForkRow?: (row: Row) => void
  readonly onDeleteRow?: (row: Row) => void
  /** Goes to a row that may be far away. */
  readonly onGoToRow?: (rowId: string) => void
  /** Goes to the search through this conversation. */
  readonly onSearchWindows?: () => void
  /** Shows what was sent in this window. */
  readonly onInspectWindow?: (windowId: string) => void
  /** Tells whether windows are as they were written (H-6). */
  readonly windowChecks?: WindowChecker
}

export const TranscriptActionsContext = createContext<TranscriptActions | null>(null)

/** The actions around a part of the transcript. */
export function useTranscriptActions(): TranscriptActions {
  const actions = useContext(TranscriptActionsContext)
  if (actions === null) throw new Error('A part of the transcript stands outside of it')
  return actions
}
