// Owns `tidemark replay-verify`: every request of a workspace, built again from its files and compared with what was
// sent (V-2). It reads alone, also while the workspace is open elsewhere.
import { join } from 'node:path'
import type { ReplayDifference } from '../context/replay-difference'
import { type ReplaySummary, type ReplayVerdict, verifyRequests } from '../context/replay-verify'
import { appPathsOf, workspacePathsOf } from '../files/app-paths'
import { fileErrorOf } from '../files/file-error'
import { nodeFileSystem } from '../files/file-system'
import { silentLog } from '../files/log'
import type { CommandContext } from './command-context'
import { withNamedWorkspace } from './named-workspace'
import { EXIT, type Output } from './output'

export function replayVerifyCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { output } = context
  return withNamedWorkspace(args, context, async (_app, workspaceId) => {
    const root = join(appPathsOf(context.home).workspaces, workspaceId)
    try {
      const { differing } = await tellVerdicts(output, root)
      return differing === 0 ? EXIT.done : EXIT.damaged
    } catch (cause) {
      const { message } = fileErrorOf(cause, 'read the requests', root)
      output.event({ type: 'error', reason: 'history', message })
      if (!output.json) output.note(`tidemark: ${message}`)
      return EXIT.failed
    }
  })
}

async function tellVerdicts(output: Output, root: string): Promise<ReplaySummary> {
  const files = { fs: nodeFileSystem, paths: workspacePathsOf(root), log: silentLog, isDurable: true }
  const verifying = verifyRequests(files)
  for (;;) {
    const next = await verifying.next()
    if (next.done === true) {
      output.event({ type: 'replay-verified', ...next.value })
      output.text(summaryOf(next.value))
      return next.value
    }
    output.event({ ...next.value })
    if (next.value.firstDifference !== null) output.text(textOf(next.value, next.value.firstDifference))
  }
}

function textOf(
  { requestSequence, windowId, model }: ReplayVerdict,
  { part, what, index, role, rowIds }: ReplayDifference
): string {
  const place = index === null ? '' : `\n  ${part} ${index + 1}${role === null ? '' : ` (${role})`}`
  const rows = rowIds.length === 0 ? '' : `\n  made from ${rowIds.join(', ')}`
  return `Request ${requestSequence} (${windowId}, ${model}) differs: ${what}${place}${rows}\n`
}

function summaryOf({ requests, differing, damagedLines }: ReplaySummary): string {
  const damage =
    damagedLines === 0
      ? ''
      : ` ${damagedLines} damaged line${damagedLines === 1 ? '' : 's'} in requests.jsonl: what was said there is not verified.`
  if (requests === 0) return `No request was logged.${damage}\n`
  const count = `${requests} request${requests === 1 ? '' : 's'}`
  return differing === 0
    ? `${count} built again, each as it was sent.${damage}\n`
    : `${count} built again, ${differing} not as sent.${damage}\n`
}
