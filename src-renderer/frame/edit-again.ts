// Owns the way back of a message that was not sent: its words and files stand in the composer again (P-8).
import type { Row } from '@common/rows/row-schema'
import { restoreInput } from '../store/actions/row-actions'
import type { App } from '../store/app-store'
import { notSentOf } from '../transcript/rows/not-sent-texts'
import { focusComposer } from './regions'

/** Puts it after what is there already. */
export function editAgain(app: App, workspaceId: string, row: Row): void {
  const { text, parts } = notSentOf(row)
  restoreInput(app, workspaceId, text, parts)
  focusComposer()
}
