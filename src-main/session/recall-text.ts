// Owns finding the text of a file again in the rows that gave it to the model: for the diff of a change that was made
// while the app was closed. What it finds is proved by its hash; where the rows hold a part only, there is none.
import { rowKindOf } from '@common/rows/row-kinds'
import { carriedPlanOf } from '@common/rows/file-baselines'
import { isKnownPart, type Row, type ToolPart } from '@common/rows/row-schema'
import { SeenFile } from '@common/rows/seen-file'
import { TOOL_CONTRACTS } from '@common/tools/tool-contracts'
import { contentOf } from '../tools/file-content'
import { replaceText } from '../tools/replace-text'

/** The bytes that the model saw as `wanted`, or null. */
export function recallText(rows: readonly Row[], wanted: SeenFile): Buffer | null {
  const texts = new Map<string, Buffer>()
  const keep = (content: string, candidates: readonly Buffer[]): void => {
    const proved = candidates.find((bytes) => contentOf(bytes) === content)
    if (proved !== undefined) texts.set(content, proved)
  }
  for (const row of rows) {
    const isSnapshot = rowKindOf(row) === 'prelude'
    const snapshot = isSnapshot ? seenAt(row.metadata.machine?.['seen'], wanted.path) : null
    if (snapshot !== null) keep(snapshot.content, snapshotTexts(row))
    const plan = carriedPlanOf(row)
    if (plan?.path === wanted.path) keep(wanted.content, [Buffer.from(plan.content)])
    for (const part of row.parts) {
      if (!isKnownPart(part) || part.type !== 'dynamic-tool') continue
      const seen = seenAt(part.seen, wanted.path)
      if (seen !== null) keep(seen.content, textsOfCall(part, seen, texts))
    }
  }
  return texts.get(wanted.content) ?? null
}

function seenAt(stored: unknown, path: string): SeenFile | null {
  // Looked at before it is parsed: most of what a window holds is of other files.
  if (typeof stored !== 'object' || stored === null || !('path' in stored) || stored.path !== path) return null
  const seen = SeenFile.safeParse(stored)
  return seen.success ? seen.data : null
}

/** Behind its first paragraph a snapshot is the text. */
function snapshotTexts({ parts }: Row): Buffer[] {
  const [part] = parts
  if (part === undefined || !isKnownPart(part) || part.type !== 'text') return []
  const start = part.text.indexOf('\n\n')
  return start === -1 ? [] : [Buffer.from(part.text.slice(start + 2))]
}

function textsOfCall({ toolName, input, output }: ToolPart, seen: SeenFile, texts: Map<string, Buffer>): Buffer[] {
  switch (toolName) {
    case 'file_write': {
      const written = TOOL_CONTRACTS.file_write.input.safeParse(input)
      return written.success ? [Buffer.from(written.data.content)] : []
    }
    case 'file_read': {
      const read = TOOL_CONTRACTS.file_read.output.safeParse(output)
      return read.success && seen.isPart !== true ? readTexts(read.data.content) : []
    }
    case 'file_edit': {
      const edit = TOOL_CONTRACTS.file_edit.input.safeParse(input)
      const before = texts.get(seen.before ?? '')
      if (!edit.success || before === undefined) return []
      const { old_string: oldString, new_string: newString, replace_all } = edit.data
      const replaced = replaceText(seen.path, before, { oldString, newString, replaceAll: replace_all ?? false })
      return replaced.ok ? [replaced.value.bytes] : []
    }
    default:
      return []
  }
}

const BYTE_ORDER_MARK = '\ufeff'

/** Without the line numbers; how the last line ended and how the file began is not told, so each way is tried. */
function readTexts(content: string): Buffer[] {
  const text = content.replaceAll(/^\d+\t/gm, '')
  const ends = [`${text}\n`, text]
  return [...ends, ...ends.map((end) => BYTE_ORDER_MARK + end)].map((each) => Buffer.from(each))
}
