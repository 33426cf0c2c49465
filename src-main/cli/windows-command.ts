// Owns `tidemark windows`: every context window of a workspace, oldest first, each read again against the index.
import { contextTokensOf } from '@common/budget/usage'
import { MAX_LINE_BYTES } from '@common/constants'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import type { HistoryStore } from '../history/history-store'
import { parseJsonLine, rowOfValue } from '../history/parse-line'
import { scanBounded } from '../history/scan-bounded'
import type { WindowListing } from '../history/window-index'
import type { CommandContext } from './command-context'
import { withNamedWorkspace } from './named-workspace'
import { EXIT, usageError } from './output'

export function windowsCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { output } = context
  return withNamedWorkspace(args, context, async (app, workspaceId) => {
    const session = await app.services.sessions.open(workspaceId)
    if (!session.ok) return usageError(output, 'workspace', session.error)
    const told = await tellWindows(context, session.value.store)
    if (told.ok) return EXIT.done
    output.event({ type: 'error', reason: 'history', message: told.error })
    if (!output.json) output.note(`tidemark: ${told.error}`)
    return EXIT.failed
  })
}

async function tellWindows({ output }: CommandContext, store: HistoryStore): Promise<Result<void, string>> {
  const windows = await store.listWindows()
  if (!windows.ok) return err(windows.error.message)
  for (const window of windows.value) {
    const { windowId, kind, rows, bytes, firstSequence, lastSequence, startedAtMs } = window
    const tokens = await tokensOf(store, window)
    const verdict = await store.verifyWindow(windowId)
    if (!verdict.ok) return err(verdict.error.message)
    const verified = verdict.value === null ? null : verdict.value.kind === 'verified'
    output.event({ windowId, kind, rows, bytes, tokens, firstSequence, lastSequence, startedAtMs, verified })
    output.text(`${textOf(window, tokens, verified)}\n`)
  }
  return ok(undefined)
}

function textOf(window: WindowListing, tokens: number | null, verified: boolean | null): string {
  const started = window.startedAtMs === null ? '' : `  ${new Date(window.startedAtMs).toISOString().slice(0, 16)}`
  const measured = tokens === null ? '' : `, ${tokens} tokens`
  const check = verified === false ? '  DIFFERS from what was noted of it' : ''
  return `${window.windowId}  ${window.kind}${started}  ${window.rows} rows, ${window.bytes} bytes${measured}${check}`
}

/** Rows from the end among which the last measured answer is looked for. */
const MEASURED_WITHIN = { maxBytes: 4_194_304, maxRows: 2_000 }

/** What the window held when its last answer was done, by the provider's own count; null where nothing was measured. */
async function tokensOf(store: HistoryStore, { window }: WindowListing): Promise<number | null> {
  const measured = await store.read((files, { epoch }) => {
    let tokens: number | null = null
    scanBounded(
      files,
      { direction: 'backward', startCursor: null, ...MEASURED_WITHIN, maxLineBytes: MAX_LINE_BYTES },
      {
        line({ buffer, start, end }) {
          const usage = rowOfValue(parseJsonLine(buffer.toString('utf8', start, end)))?.metadata.contextUsage
          if (usage === undefined) return 'go-on'
          tokens = contextTokensOf(usage) + usage.outputTokens
          return 'stop'
        }
      },
      { windows: [window], epoch, carry: null }
    )
    return tokens
  })
  return measured.ok ? measured.value : null
}
