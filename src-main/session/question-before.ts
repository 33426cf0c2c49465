// Owns the question before a command that a person typed cuts rows: what goes, and where it is kept. The command line
// does not ask it.
import type { RequestFailure } from '@common/contract/bridge'
import { err, ok, type Result } from '@common/result'
import type { AgentSession } from './agent-session'
import { failureOf } from './session-edits'
import { parseSlashCommand } from './slash-commands'

export interface CutQuestion {
  readonly rows: number
  readonly windows: number
  /** For the person. */
  readonly message: string
}

/** Null where sending this text cuts nothing, or is refused anyway because a turn runs. */
export async function questionBefore(
  session: Pick<AgentSession, 'busy' | 'store'>,
  text: string
): Promise<Result<CutQuestion | null, RequestFailure>> {
  const command = parseSlashCommand(text)
  if (command?.name !== 'clear' || command.soft || session.busy) return ok(null)
  const listed = await session.store.listWindows()
  if (!listed.ok) return err(failureOf(listed.error))
  const windows = listed.value.length
  const rows = listed.value.reduce((sum, window) => sum + window.rows, 0)
  return ok(rows === 0 ? null : { rows, windows, message: messageOf(rows, windows) })
}

function messageOf(rows: number, windows: number): string {
  const all = rows === 1 ? 'the one row' : `all ${rows.toLocaleString('en')} rows`
  const where = windows === 1 ? '' : ` in ${windows.toLocaleString('en')} context windows`
  return `This cuts ${all}${where}. What is cut is kept in cut-rows.jsonl, but neither you nor the agent sees it any more.`
}
