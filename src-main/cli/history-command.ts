// Owns `tidemark history list|search|read`: the very code of the session_history tool, on files that may be open
// elsewhere. It changes nothing; a person may ask without the floor.
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import type { HistoryFailure, SessionHistoryOutput } from '@common/tools/session-history-contract'
import { nodeFileSystem } from '../files/file-system'
import { installKeyOf } from '../files/install-key'
import { historyReaderOf } from '../history/history-reader'
import { HistoryBrowser, workspaceDirOf } from '../history-search/history-browser'
import type { Viewer } from '../history-search/item-rules'
import { callSessionHistory } from '../history-search/session-history'
import type { AppServices } from '../ipc/app-services'
import { parseCommand } from './arguments'
import { checkWorkspace, openApp } from './command-context'
import type { CommandContext } from './command-context'
import { historyText } from './history-text'
import { EXIT, usageError } from './output'

const OPTIONS = {
  workspace: { type: 'string' },
  query: { type: 'string' },
  'window-id': { type: 'string' },
  'item-id': { type: 'string' },
  cursor: { type: 'string' },
  limit: { type: 'string' },
  'offset-chars': { type: 'string' },
  'limit-chars': { type: 'string' },
  as: { type: 'string' },
  json: { type: 'boolean' }
} as const

const ACTIONS: Readonly<Record<string, string>> = { list: 'list_windows', search: 'search', read: 'read_item' }
const NUMBERS = ['limit', 'offset-chars', 'limit-chars'] as const

export async function historyCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { output } = context
  const parsed = parseCommand(args, OPTIONS)
  if (!parsed.ok) return usageError(output, 'flag', parsed.error)
  const { values, positionals } = parsed.value
  const [verb = '', ...rest] = positionals
  if (!Object.hasOwn(ACTIONS, verb) || rest.length > 0)
    return usageError(output, 'arguments', 'write `history list`, `history search` or `history read`.')
  const viewer = values.as ?? 'agent'
  if (viewer !== 'agent' && viewer !== 'person') return usageError(output, 'as', '--as takes agent or person.')
  const numbers = numbersOf(values)
  if (!numbers.ok) return usageError(output, 'flag', numbers.error)
  if (values.workspace === undefined) return usageError(output, 'workspace', 'name the workspace with --workspace ID.')
  const input = {
    action: ACTIONS[verb],
    query: values.query,
    window_id: values['window-id'],
    item_id: values['item-id'],
    cursor: values.cursor,
    ...numbers.value
  }
  const app = await openApp(context)
  try {
    const known = await checkWorkspace(app, values.workspace)
    if (!known.ok) return usageError(output, 'workspace', known.error)
    return tell(context, await askHistory(app.services, known.value, input, viewer))
  } finally {
    await app.close()
  }
}

/** Numbers as the tool takes them; what is no number is wrong use. */
function numbersOf(values: Readonly<Record<string, unknown>>): Result<Record<string, number>, string> {
  const numbers: Record<string, number> = {}
  for (const name of NUMBERS) {
    const text = values[name]
    if (typeof text !== 'string') continue
    if (!/^\d{1,15}$/.test(text)) return err(`--${name} takes a whole number, not “${text}”.`)
    numbers[name.replace('-', '_')] = Number(text)
  }
  return ok(numbers)
}

function askHistory(
  { paths, clock, log }: AppServices,
  workspaceId: string,
  input: unknown,
  viewer: Viewer
): Promise<Result<SessionHistoryOutput, HistoryFailure>> {
  const workspaceDir = workspaceDirOf(paths, workspaceId)
  const browser = new HistoryBrowser({
    workspaceId,
    workspaceDir,
    reader: historyReaderOf({ workspaceDir, clock, log }),
    fs: nodeFileSystem,
    key: installKeyOf(paths.installKey, log)
  })
  return callSessionHistory(browser, input, viewer)
}

function tell({ output }: CommandContext, answer: Result<SessionHistoryOutput, HistoryFailure>): number {
  if (answer.ok) {
    output.event(answer.value)
    output.text(historyText(answer.value))
    return EXIT.done
  }
  output.event({ ...answer.error })
  if (!output.json) output.note(`tidemark: ${answer.error.message}`)
  return answer.error.error === 'invalid_input' ? EXIT.usage : EXIT.failed
}
