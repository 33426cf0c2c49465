// Owns what `doctor` finds wrong in a workspace's other files: workspace.json, queue, drafts, the streaming row, the log
// of requests. Reads; changes nothing. A small one is put right by keeping a copy and writing what can still be read.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { QueueEntry } from '@common/contract/views'
import { err, ok, type Result } from '@common/result'
import type { WorkspacePaths } from '../files/app-paths'
import { readRequestLog } from '../context/request-log-reader'
import { writeFileAtomic } from '../files/atomic-write'
import { fileErrorOf, isNotFound } from '../files/file-error'
import { keepAside } from '../files/keep-aside'
import type { DamageFinding } from '../history/damage-finding'
import type { HistoryFiles } from '../history/history-files'
import { readPartialFile, setPartialAside } from '../history/partial-row'
import { readWorkspaceFile, recoveredWorkspace, writeWorkspaceFile } from './workspace-file'

const QueueFile = z.looseObject({ entries: z.array(z.unknown()) })
const DraftFile = z.looseObject({ text: z.string() })

/** Throws the system's error. */
export async function checkSmallFiles(files: HistoryFiles, id: string, nowMs: number): Promise<DamageFinding[]> {
  const { paths } = files
  return [
    ...(await checkWorkspace(paths, id)),
    ...(await checkQueue(paths.queue)),
    ...(await checkDrafts(paths.drafts)),
    ...checkPartial(files, nowMs),
    ...(await checkRequests(files))
  ]
}

async function checkWorkspace(paths: WorkspacePaths, id: string): Promise<DamageFinding[]> {
  const read = (await readWorkspaceFile(paths.workspace, id)) ?? recoveredWorkspace(paths, id)
  if (read === null || read.damage === null) return []
  const { file, damage } = read
  return [
    {
      file: paths.workspace,
      line: null,
      problem: damage,
      kept: 'The history is whole; values that can be read are used.',
      repair: {
        key: paths.workspace,
        async run() {
          const bytes = await bytesOf(paths.workspace)
          const copied = bytes === null ? ok('There was nothing to copy.') : await keepAside(paths.workspace, bytes)
          if (!copied.ok) return err(copied.error.message)
          const written = await writeWorkspaceFile(paths.workspace, file)
          return written.ok ? ok(copied.value) : written
        }
      }
    }
  ]
}

async function checkQueue(path: string): Promise<DamageFinding[]> {
  const bytes = await bytesOf(path)
  if (bytes === null) return []
  const parsed = QueueFile.safeParse(jsonOf(bytes))
  if (!parsed.success)
    return [
      rewriting(path, bytes, 'The queue cannot be read; messages that were not sent may be in it.', '{"entries":[]}')
    ]
  const { entries, ...fields } = parsed.data
  const good = entries.filter((entry) => QueueEntry.safeParse(entry).success)
  if (good.length === entries.length) return []
  const problem = `${entries.length - good.length} messages of the queue are in a form that cannot be used.`
  return [rewriting(path, bytes, problem, JSON.stringify({ ...fields, entries: good }))]
}

async function checkDrafts(path: string): Promise<DamageFinding[]> {
  const bytes = await bytesOf(path)
  if (bytes === null || DraftFile.safeParse(jsonOf(bytes)).success) return []
  return [rewriting(path, bytes, 'The draft cannot be read.', '{"text":"","attachments":[]}')]
}

function checkPartial(files: HistoryFiles, nowMs: number): DamageFinding[] {
  if (readPartialFile(files).kind !== 'damaged') return []
  return [
    {
      file: files.paths.partial,
      line: null,
      problem: 'The answer that was streaming when Tidemark stopped cannot be read; everything before it is whole.',
      kept: 'The file stays; opening the workspace keeps it under another name.',
      repair: {
        key: files.paths.partial,
        run: async () => ok(setPartialAside(files, nowMs))
      }
    }
  ]
}

/** Damaged lines stay: nothing but `replay-verify` reads them, and there is nothing to put in their place. */
async function checkRequests(files: HistoryFiles): Promise<DamageFinding[]> {
  const log = readRequestLog(files)
  let next = await log.next()
  while (next.done !== true) next = await log.next()
  const { lines, firstLine } = next.value
  if (lines === 0) return []
  return [
    {
      file: files.paths.requests,
      line: firstLine,
      problem: `${lines === 1 ? 'A line' : `${lines} lines`} of the log of requests cannot be read; what was sent then cannot be verified.`,
      kept: 'It stays as it is; messages are not affected.',
      repair: null
    }
  ]
}

function rewriting(path: string, bytes: Buffer, problem: string, text: string): DamageFinding {
  return {
    file: path,
    line: null,
    problem,
    kept: 'The file stays as it is.',
    repair: { key: path, run: () => rewrite(path, bytes, text) }
  }
}

async function rewrite(path: string, bytes: Buffer, text: string): Promise<Result<string, string>> {
  const copied = await keepAside(path, bytes)
  if (!copied.ok) return err(copied.error.message)
  const written = await writeFileAtomic(path, `${text}\n`)
  return written.ok ? ok(copied.value) : err(written.error.message)
}

async function bytesOf(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (cause) {
    if (isNotFound(cause)) return null
    fileErrorOf(cause, 'read', path)
    throw cause
  }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch (cause) {
    if (cause instanceof SyntaxError) return null
    throw cause
  }
}
