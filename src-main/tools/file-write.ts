// Owns the file_write tool: puts a whole file in place, atomically, and tells what changed.
import { FILE_READ_MAX_BYTES, MAX_APPROVAL_DIFF_CHARS, MAX_STORED_DIFF_CHARS } from '@common/constants'
import { err, ok, type Result } from '@common/result'
import { changeDiff, type ChangeDiff } from './change-diff'
import { defineTool } from './define-tool'
import { binaryKindOf } from './file-kind'
import { openGuarded, readGuarded } from './open-guarded'
import { guardForRun, guardPath, type GuardedPath } from './path-guard'
import { isFollowed, sightOfWritten } from './sighting'
import { writeGuarded } from './write-guarded'

interface Before {
  /** Null when there is no file yet. */
  readonly mode: number | null
  /** Null when its text cannot be shown: binary, or too large to compare. */
  readonly text: string | null
  readonly bytes: Buffer | null
}

export const fileWrite = defineTool('file_write', {
  async touch(input, run) {
    const guarded = await guardPath(run.projectRoot, input.path)
    if (!guarded.ok) return guarded
    const before = await readBefore(guarded.value)
    if (!before.ok) return before
    const { absolute, relative, place } = guarded.value
    const { diff } = diffOf(relative, before.value, input.content, MAX_APPROVAL_DIFF_CHARS)
    const subject = { kind: 'change' as const, path: relative, diff, created: before.value.mode === null }
    return ok({ effect: 'edit', paths: [absolute], outside: place === 'outside', command: null, subject })
  },
  async execute(input, run) {
    const guarded = await guardForRun(run, input.path)
    if (!guarded.ok) return { kind: 'failed', message: guarded.error }
    const before = await readBefore(guarded.value)
    if (!before.ok) return { kind: 'failed', message: before.error }
    if (run.abortSignal.aborted) return { kind: 'interrupted', message: `${input.path} was not written.` }
    const { mode, bytes: old } = before.value
    const bytes = Buffer.from(input.content)
    const { relative } = guarded.value
    const change = diffOf(relative, before.value, input.content, MAX_STORED_DIFF_CHARS)
    const output = { path: relative, ...change, created: mode === null, bytes: bytes.length }
    const isSame = old?.equals(bytes) === true
    const written = isSame ? ok(undefined) : await writeGuarded(guarded.value, bytes, mode)
    if (!written.ok) return { kind: 'failed', message: written.error }
    return {
      kind: 'done',
      output: isSame ? { ...output, note: 'The file already had this content.' } : output,
      ...(isFollowed(guarded.value) ? { seen: await sightOfWritten(guarded.value, bytes, run.seenFiles) } : {})
    }
  }
})

async function readBefore(guarded: GuardedPath): Promise<Result<Before, string>> {
  const opened = await openGuarded(guarded)
  if (!opened.ok)
    return opened.error.kind === 'missing' ? ok({ mode: null, text: '', bytes: null }) : err(opened.error.message)
  const { mode, size } = opened.value.stats
  await opened.value.handle.close()
  if (size > FILE_READ_MAX_BYTES) return ok({ mode, text: null, bytes: null })
  const read = await readGuarded(guarded, FILE_READ_MAX_BYTES)
  if (!read.ok) return err(read.error.message)
  const { bytes } = read.value
  return ok({ mode, bytes, text: binaryKindOf(bytes) === null ? bytes.toString('utf8') : null })
}

function diffOf(path: string, before: Before, content: string, maxChars: number): ChangeDiff {
  if (before.text !== null) return changeDiff(path, before.text, content, maxChars)
  const all = changeDiff(path, '', content, maxChars)
  return { ...all, diff: `The old content is binary or too large to compare; it is replaced by:\n${all.diff}` }
}
