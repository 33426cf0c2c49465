// Owns the gathering of what a compaction carries over (K-1): from the project's disk and the workspace, within its time.
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { planFileOf } from '@common/agents/protected-paths'
import { MAX_INSTRUCTIONS_BYTES, POST_COMPACTION_CONTEXT_MS } from '@common/constants'
import type { PostCompactionContext } from '@common/rows/row-schema'
import { type PlanFile, renderPostCompactionContext } from '../compaction/post-compaction-context'
import { fileErrorOf } from '../files/file-error'
import type { OpenedSession, SessionDeps } from './session-deps'

/** What a compaction that begins now carries; null for nothing, and where it takes too long (K-3). */
export async function carryOver(
  deps: SessionDeps,
  opened: OpenedSession,
  encoding: string
): Promise<PostCompactionContext | null> {
  const { file } = opened.workspace
  const built = readPlan(file.projectPath, planFileOf(file.id)).then((plan) =>
    renderPostCompactionContext({
      plan,
      todo: file.todo,
      nowMs: deps.clock.now(),
      async countTokens(text) {
        const counted = await deps.counter.countText(text, encoding)
        // A token is at least a byte.
        return counted.ok ? counted.value : Buffer.byteLength(text)
      }
    })
  )
  const late = deps.clock.sleep(POST_COMPACTION_CONTEXT_MS).then(() => null)
  return Promise.race([built, late])
}

async function readPlan(projectPath: string, planPath: string): Promise<PlanFile | null> {
  const absolute = path.join(projectPath, planPath)
  try {
    const { mtimeMs, size } = await stat(absolute)
    if (size > MAX_INSTRUCTIONS_BYTES) return null
    return { path: planPath, content: await readFile(absolute, 'utf8'), modifiedMs: mtimeMs }
  } catch (cause) {
    fileErrorOf(cause, 'read the plan', absolute)
    return null
  }
}
