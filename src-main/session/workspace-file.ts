// Owns workspace.json: what a workspace is besides its history. Unknown fields are kept; a file that does
// not parse is kept aside and the workspace opens with what its folder still tells.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { WorkspacePaths } from '../files/app-paths'
import { z } from 'zod'
import { WorkspaceGrant } from '@common/agents/workspace-grant'
import { MemorySkip } from '@common/memory/memory-schema'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { ApprovalMode, ThinkingLevel } from '@common/settings/settings-schema'
import { TodoItem } from '@common/tools/tool-contracts'
import { writeFileAtomic } from '../files/atomic-write'
import { fileErrorOf, isNotFound } from '../files/file-error'
import type { FileError } from '../files/file-error'
import { keepAside } from '../files/keep-aside'

/** The notes that a window was given beside its memories (N-1). */
export const FrozenNotes = z.looseObject({
  /** Of what they add to the block, in `request-parts/`. */
  sha256: z.string(),
  /** Of the file. */
  bytes: z.number(),
  modifiedAtMs: z.number(),
  /** Only the beginning of the file is there. */
  isCut: z.boolean()
})
export type FrozenNotes = z.infer<typeof FrozenNotes>

/** The memories that a window was given (Y-2), for all of its requests whatever agent sends them. */
export const FrozenMemories = z.looseObject({
  windowId: z.string(),
  projectId: z.string(),
  /** Of the block in `request-parts/`; null where there was nothing to give. */
  sha256: z.string().nullable(),
  preloaded: z.array(z.looseObject({ path: z.string(), bytes: z.number(), modifiedAtMs: z.number() })),
  /** Pinned or used, and left out all the same. */
  skipped: z.array(z.looseObject({ path: z.string(), reason: MemorySkip.catch('unreadable') })),
  /** Null where there were none to give; missing until a request of the window first asked for them. */
  notes: FrozenNotes.nullish().catch(undefined)
})
export type FrozenMemories = z.infer<typeof FrozenMemories>

/** Text that a window's requests share, stored by hash (W-0, V-1): which window and agent it belongs to. */
export const FrozenSystem = z.looseObject({
  windowId: z.string(),
  agentId: z.string(),
  projectPath: z.string(),
  /** What the person's switches said of memory when it was built: with others it is built again. */
  memoryUse: z.string().optional(),
  sha256: z.string(),
  memories: FrozenMemories.nullish().catch(null)
})
export type FrozenSystem = z.infer<typeof FrozenSystem>

/** What a person lets a compaction carry over (K-8); all of it unless switched off. */
export const CarryChoice = z.looseObject({
  /** Nothing at all is carried. */
  off: z.boolean().default(false),
  /** Ids of what is not carried. */
  without: z.array(z.string()).default([])
})
export type CarryChoice = z.infer<typeof CarryChoice>

export const WorkspaceFile = z.looseObject({
  id: z.string(),
  title: z.string().default(''),
  projectId: z.string().default(''),
  projectPath: z.string().default(''),
  model: z.string().default('demo:tide-1'),
  agentId: z.string().default('exec'),
  approvalMode: ApprovalMode.default('ask'),
  thinkingLevel: ThinkingLevel.default('off'),
  archived: z.boolean().default(false),
  createdAtMs: z.number().default(0),
  updatedAtMs: z.number().default(0),
  rows: z.number().default(0),
  costUsd: z.number().default(0),
  /** Some requests ran on a model without a known price. */
  costIncomplete: z.boolean().default(false),
  /** Rows up to this sequence are copies: the conversation that they come from paid for them. */
  copiedUpTo: z.number().default(0),
  /** Provider requests of this workspace so far; never goes back (V-1). */
  requestSequence: z.number().default(0),
  unread: z.boolean().default(false),
  /** Usage of requests before this one says nothing of the window any more: rows were cut (E-3). */
  measuredFrom: z.number().default(0),
  grants: z.array(WorkspaceGrant).default([]),
  todo: z.array(TodoItem).default([]),
  carryOver: CarryChoice.default({ off: false, without: [] }),
  frozenSystem: FrozenSystem.nullish()
})
export type WorkspaceFile = z.infer<typeof WorkspaceFile>

export interface ReadWorkspace {
  readonly file: WorkspaceFile
  /** One sentence when the file on disk was damaged; what it held is kept beside it. */
  readonly damage: string | null
}

/**
 * Reads a workspace's file; null when the folder has none. Field by field: one bad field costs that field. A file
 * that cannot be read at all is told as damage too: the workspace stays in the list.
 */
export async function readWorkspaceFile(path: string, id: string): Promise<ReadWorkspace | null> {
  const recovered = (): WorkspaceFile => recoveredFile(id)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if (isNotFound(cause)) return null
    return { file: recovered(), damage: fileErrorOf(cause, 'read the workspace', path).message }
  }
  const value = parseObject(text)
  if (value === null) return { file: recovered(), damage: `${path} does not parse.` }
  const strict = WorkspaceFile.safeParse({ ...value, id })
  if (strict.success) return { file: strict.data, damage: null }
  const bad = new Set(strict.error.issues.map((issue) => String(issue.path[0])))
  const kept = Object.fromEntries(Object.entries(value).filter(([key]) => !bad.has(key)))
  return {
    file: WorkspaceFile.parse({ ...kept, id }),
    damage: `${path} has values that cannot be used (${[...bad].join(', ')}); defaults stand in for them.`
  }
}

/** A folder that holds a history and no workspace.json is a workspace all the same; null without a history. */
export function recoveredWorkspace(
  paths: Pick<WorkspacePaths, 'windows' | 'workspace'>,
  id: string
): ReadWorkspace | null {
  if (!existsSync(paths.windows)) return null
  return {
    file: recoveredFile(id),
    damage: `${paths.workspace} is missing; point this workspace to its project again.`
  }
}

function recoveredFile(id: string): WorkspaceFile {
  return WorkspaceFile.parse({ id, title: 'Recovered workspace' })
}

/** Writes the file whole. One that does not parse now, or holds values of another form, is first kept aside. */
export async function writeWorkspaceFile(path: string, file: WorkspaceFile): Promise<Result<void, string>> {
  try {
    const kept = await keepDamagedAside(path)
    if (!kept.ok) return err(kept.error.message)
    const written = await writeFileAtomic(path, `${JSON.stringify(file, null, 2)}\n`)
    return written.ok ? ok(undefined) : err(written.error.message)
  } catch (cause) {
    return err(fileErrorOf(cause, 'save the workspace', path).message)
  }
}

async function keepDamagedAside(path: string): Promise<Result<unknown, FileError>> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    if (isNotFound(cause)) return ok(undefined)
    throw cause
  }
  const isWhole = WorkspaceFile.safeParse(parseObject(bytes.toString('utf8'))).success
  return isWhole ? ok(undefined) : keepAside(path, bytes)
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
