// Owns `tidemark export`: the whole history of a workspace as Markdown or JSONL, on stdout or in a file.
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { once } from 'node:events'
import { fileErrorOf, systemCodeOf } from '../files/file-error'
import { exportDocument } from '../history/export-document'
import type { ExportSummary } from '../history/export-document'
import { callerPath, parseCommand } from './arguments'
import { checkWorkspace, openApp } from './command-context'
import type { CommandContext } from './command-context'
import { EXIT, usageError } from './output'

const OPTIONS = {
  workspace: { type: 'string' },
  format: { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean' }
} as const

export async function exportCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { output } = context
  const parsed = parseCommand(args, OPTIONS)
  if (!parsed.ok) return usageError(output, 'flag', parsed.error)
  const { workspace, format, out } = parsed.value.values
  if (format !== 'markdown' && format !== 'jsonl')
    return usageError(output, 'format', '--format takes markdown or jsonl.')
  if (workspace === undefined) return usageError(output, 'workspace', 'name the workspace with --workspace ID.')
  const app = await openApp(context)
  try {
    const known = await checkWorkspace(app, workspace)
    if (!known.ok) return usageError(output, 'workspace', known.error)
    const session = await app.services.sessions.open(workspace)
    if (!session.ok) return usageError(output, 'workspace', session.error)
    const file = out === undefined ? null : callerPath(out, context.environment)
    const document = exportDocument(session.value.store, { format, title: session.value.view.title })
    const summary = await write(document, file === null ? process.stdout : createWriteStream(file, { mode: 0o600 }))
    if (summary.damage.total > 0)
      output.note(`tidemark: ${summary.damage.total} damaged lines were left out; they stay on disk.`)
    if (file !== null) {
      output.event({ type: 'exported', file, rows: summary.rows })
      output.text(`${summary.rows} rows are in ${file}.\n`)
    }
    return EXIT.done
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    output.note(`tidemark: ${fileErrorOf(cause, 'write the export', out ?? 'standard output').message}`)
    return EXIT.failed
  } finally {
    await app.close()
  }
}

/** Writes piece by piece, never faster than the reader takes it; standard output is left open. */
async function write(
  document: AsyncGenerator<string, ExportSummary, void>,
  target: NodeJS.WritableStream
): Promise<ExportSummary> {
  for (;;) {
    const next = await document.next()
    if (next.done === true) {
      if (target !== process.stdout) {
        target.end()
        await finished(target)
      }
      return next.value
    }
    if (!target.write(next.value)) await once(target, 'drain')
  }
}
