// Owns the file_edit tool: an exact replacement in a file of the project, put in place atomically.
import { FILE_READ_MAX_BYTES, MAX_APPROVAL_DIFF_CHARS, MAX_STORED_DIFF_CHARS } from '@common/constants'
import { err, ok, type Result } from '@common/result'
import type { ToolInput } from '@common/tools/tool-contracts'
import { changeDiff } from './change-diff'
import { defineTool } from './define-tool'
import { contentOf } from './file-content'
import { readGuarded } from './open-guarded'
import { guardForRun, guardPath, type GuardedPath } from './path-guard'
import { replaceText, type Replaced } from './replace-text'
import { isFollowed, sightOfWritten } from './sighting'
import { writeGuarded } from './write-guarded'

interface Edit extends Replaced {
  readonly old: Buffer
  readonly before: string
  readonly after: string
  readonly mode: number
}

export const fileEdit = defineTool('file_edit', {
  async touch(input, run) {
    const guarded = await guardPath(run.projectRoot, input.path)
    if (!guarded.ok) return guarded
    const edit = await readEdit(guarded.value, input)
    if (!edit.ok) return edit
    const { absolute, relative, place } = guarded.value
    const { diff } = changeDiff(relative, edit.value.before, edit.value.after, MAX_APPROVAL_DIFF_CHARS)
    const subject = { kind: 'change' as const, path: relative, diff, created: false }
    return ok({ effect: 'edit', paths: [absolute], outside: place === 'outside', command: null, subject })
  },
  async execute(input, run) {
    const guarded = await guardForRun(run, input.path)
    if (!guarded.ok) return { kind: 'failed', message: guarded.error }
    const edit = await readEdit(guarded.value, input)
    if (!edit.ok) return { kind: 'failed', message: edit.error }
    if (run.abortSignal.aborted) return { kind: 'interrupted', message: `${input.path} was not changed.` }
    const { old, bytes, before, after, mode, note, replacements } = edit.value
    const written = await writeGuarded(guarded.value, bytes, mode)
    if (!written.ok) return { kind: 'failed', message: written.error }
    const { relative } = guarded.value
    const change = changeDiff(relative, before, after, MAX_STORED_DIFF_CHARS)
    const output = { path: relative, ...change, replacements, ...(note === null ? {} : { note }) }
    if (!isFollowed(guarded.value)) return { kind: 'done', output }
    const seen = await sightOfWritten(guarded.value, bytes, run.seenFiles)
    return { kind: 'done', output, seen: { ...seen, before: contentOf(old) } }
  }
})

async function readEdit(guarded: GuardedPath, input: ToolInput<'file_edit'>): Promise<Result<Edit, string>> {
  const read = await readGuarded(guarded, FILE_READ_MAX_BYTES)
  if (!read.ok) return err(read.error.message)
  const replaced = replaceText(guarded.relative, read.value.bytes, {
    oldString: input.old_string,
    newString: input.new_string,
    replaceAll: input.replace_all ?? false
  })
  if (!replaced.ok) return replaced
  const [before, after] = [read.value.bytes, replaced.value.bytes].map((bytes) => bytes.toString('utf8'))
  return ok({
    ...replaced.value,
    old: read.value.bytes,
    before: before ?? '',
    after: after ?? '',
    mode: read.value.stats.mode
  })
}
