// Owns what a test asks of a workspace's requests: the verdict on each, and the lines of the log.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { appPathsOf, workspacePathsOf, type WorkspacePaths } from '../../files/app-paths'
import { nodeFileSystem } from '../../files/file-system'
import { silentLog } from '../../files/log'
import type { HistoryFiles } from '../../history/history-files'
import { type RequestEnvelope, readRequestLogLine } from '../request-log-lines'
import { type ReplaySummary, type ReplayVerdict, verifyRequests } from '../replay-verify'

interface Place {
  readonly home: string
  readonly workspaceId: string
}

export interface Replay {
  readonly verdicts: readonly ReplayVerdict[]
  readonly summary: ReplaySummary
}

/** Verifies every request of the workspace. */
export async function replayOf(place: Place): Promise<Replay> {
  const verdicts: ReplayVerdict[] = []
  const verifying = verifyRequests(historyFilesOf(place))
  for (;;) {
    const next = await verifying.next()
    if (next.done === true) return { verdicts, summary: next.value }
    verdicts.push(next.value)
  }
}

export function historyFilesOf(place: Place): HistoryFiles {
  return { fs: nodeFileSystem, paths: placeOf(place), log: silentLog, isDurable: true }
}

export function placeOf({ home, workspaceId }: Place): WorkspacePaths {
  return workspacePathsOf(path.join(appPathsOf(home).workspaces, workspaceId))
}

/** The envelopes in the log, in order. */
export function envelopesOf(place: Place): RequestEnvelope[] {
  return linesOf(place).flatMap((line) => (line.kind === 'request' ? [line.envelope] : []))
}

/** The lines of the log as they read, in order. */
export function linesOf(place: Place): ReturnType<typeof readRequestLogLine>[] {
  const text = readFileSync(placeOf(place).requests, 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => readRequestLogLine(parsed(line)))
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
