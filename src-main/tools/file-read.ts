// Owns the file_read tool: numbered lines of a text file of the project, or of a spill (`spill:<id>`).
// It never answers more than fits into a row, so that it needs no spill of its own.
import { realpath } from 'node:fs/promises'
import {
  FILE_READ_DEFAULT_LINES,
  FILE_READ_MAX_BYTES,
  FILE_READ_MAX_LINE_BYTES,
  MAX_TOOL_RESULT_BYTES
} from '@common/constants'
import { err, ok, type Result } from '@common/result'
import type { ToolInput, ToolOutput } from '@common/tools/tool-contracts'
import { systemCodeOf } from '../files/file-error'
import { defineTool, touchesNothing } from './define-tool'
import { ContentReader } from './file-content'
import { binaryKindOf } from './file-kind'
import { jsonBytes } from './json-bytes'
import { openGuarded, type OpenFile } from './open-guarded'
import { guardForRun, guardPath, type GuardedPath } from './path-guard'
import { readLines, type LinePage } from './read-lines'
import { isFollowed, sightOfRead } from './sighting'
import type { ToolOutcome, ToolRun } from './tool-types'

type Output = ToolOutput<'file_read'>

/** Kept free for the other fields of the result. */
const FIELDS_BYTES = 1_024

export const fileRead = defineTool('file_read', {
  async touch(input, run) {
    if (spillIdOf(input.path) !== null) return ok(touchesNothing({ kind: 'read', path: input.path }))
    const guarded = await guardPath(run.projectRoot, input.path)
    if (!guarded.ok) return guarded
    const { absolute, relative, place } = guarded.value
    const subject = { kind: 'read' as const, path: relative }
    return ok({ effect: 'read', paths: [absolute], outside: place === 'outside', command: null, subject })
  },
  async execute(input, run) {
    const spillId = spillIdOf(input.path)
    const guarded = await (spillId === null ? guardForRun(run, input.path) : guardSpill(spillId, run))
    if (!guarded.ok) return { kind: 'failed', message: guarded.error }
    const opened = await openGuarded(guarded.value)
    if (!opened.ok) return { kind: 'failed', message: opened.error.message }
    try {
      return await readPage(opened.value, guarded.value, input, run, spillId !== null)
    } catch (cause) {
      if (run.abortSignal.aborted) return { kind: 'interrupted', message: `Reading ${input.path} was interrupted.` }
      const code = systemCodeOf(cause)
      if (code === null) throw cause
      return { kind: 'failed', message: `${input.path} cannot be read (${code}).` }
    } finally {
      await opened.value.handle.close()
    }
  }
})

function spillIdOf(path: string): string | null {
  return path.startsWith('spill:') ? path.slice('spill:'.length) : null
}

async function guardSpill(id: string, run: ToolRun): Promise<Result<GuardedPath, string>> {
  const missing = err(`spill:${id} is not a spill of this workspace that can be read.`)
  // An id is a plain name: the store is never asked about a path.
  const known = /^[\w][\w.-]{0,199}$/.test(id) ? run.spill.pathOf(id) : null
  if (known === null) return missing
  try {
    return ok({ absolute: await realpath(known), relative: `spill:${id}`, place: 'inside' })
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return missing
  }
}

async function readPage(
  { handle, stats }: OpenFile,
  guarded: GuardedPath,
  input: ToolInput<'file_read'>,
  run: ToolRun,
  isSpill: boolean
): Promise<ToolOutcome<Output>> {
  const { relative } = guarded
  const start = Buffer.alloc(8_192)
  const { bytesRead } = await handle.read(start, 0, start.length, 0)
  const binary = binaryKindOf(start.subarray(0, bytesRead))
  if (binary !== null)
    return { kind: 'failed', message: `${relative} is not text: ${binary}, ${stats.size} bytes. It was not read.` }
  const firstLine = input.offset ?? 1
  const content = new ContentReader(stats)
  const page = await readLines(handle, {
    firstLine,
    maxLines: input.limit ?? FILE_READ_DEFAULT_LINES,
    maxJsonBytes: MAX_TOOL_RESULT_BYTES - FIELDS_BYTES - jsonBytes(relative),
    maxLineBytes: FILE_READ_MAX_LINE_BYTES,
    longLines: isSpill ? 'wrap' : 'cut',
    countWithinBytes: FILE_READ_MAX_BYTES,
    abortSignal: run.abortSignal,
    onChunk: (chunk) => content.push(chunk)
  })
  if (page.lines.length === 0 && firstLine > 1)
    return {
      kind: 'failed',
      message: `${relative} has only ${page.totalLines ?? 0} lines; offset ${firstLine} is beyond.`
    }
  const output = outputOf(relative, firstLine, page)
  if (isSpill || !isFollowed(guarded)) return { kind: 'done', output }
  const seen = sightOfRead(guarded, stats, await content.finish(handle, run.abortSignal), run.seenFiles)
  return { kind: 'done', output, seen: isWhole(firstLine, page) ? seen : { ...seen, isPart: true } }
}

function isWhole(firstLine: number, page: LinePage): boolean {
  return firstLine === 1 && page.lines.length === page.totalLines && page.cutLines === 0
}

function outputOf(path: string, firstLine: number, page: LinePage): Output {
  const lastLine = page.lines.length === 0 ? 0 : firstLine + page.lines.length - 1
  const note = noteOf(page, lastLine)
  return {
    path,
    content: page.lines.join('\n'),
    first_line: page.lines.length === 0 ? 0 : firstLine,
    last_line: lastLine,
    total_lines: page.totalLines,
    ...(note === '' ? {} : { note })
  }
}

function noteOf(page: LinePage, lastLine: number): string {
  const notes: string[] = []
  if (page.totalLines === 0) notes.push('The file is empty.')
  const goOn = `Go on with offset ${lastLine + 1}.`
  if (page.totalLines === null) notes.push(`The file goes on; its lines were not counted. ${goOn}`)
  else if (lastLine < page.totalLines) notes.push(`${page.totalLines - lastLine} more lines. ${goOn}`)
  if (page.cutLines > 0) notes.push(`${page.cutLines} long lines were cut; use grep or bash for the rest of them.`)
  if (page.hasCrlf) notes.push('Lines end with CRLF; file_edit keeps that.')
  if (page.hasBom) notes.push('The file begins with a byte order mark.')
  if (page.hasInvalidUtf8) notes.push('Bytes that are not UTF-8 are shown as \ufffd.')
  return notes.join(' ')
}
