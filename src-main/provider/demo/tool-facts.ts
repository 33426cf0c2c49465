// Owns reading facts out of tool results, by the tools' own contracts; a result of another form gives null.
import { TOOL_CONTRACTS } from '@common/tools/tool-contracts'
import type { ToolOutput } from '@common/tools/tool-contracts'
import { z } from 'zod'
import type { DemoResult } from './demo-call'

type ReadableTool = 'bash' | 'file_read' | 'file_write' | 'file_edit' | 'glob' | 'grep' | 'ask_user' | 'memory'

/** The typed output of a tool of ours, or null. */
export function outputOf<Name extends ReadableTool>(name: Name, result: DemoResult): ToolOutput<Name> | null {
  if (result.kind !== 'done') return null
  const parsed = TOOL_CONTRACTS[name].output.safeParse(result.value)
  // The contract's schema gives exactly this output; TypeScript loses that across the lookup by name.
  return parsed.success ? (parsed.data as ToolOutput<Name>) : null
}

export interface FileText {
  readonly path: string
  /** Text without line numbers. */
  readonly lines: readonly string[]
  /** Number of the first line. */
  readonly firstLine: number
  /** Lines of the whole file as far as known. */
  readonly totalLines: number
  /** False when only a part was read. */
  readonly whole: boolean
}

/** A file as file_read gave it, its line numbers taken off. */
export function fileOf(result: DemoResult): FileText | null {
  const output = outputOf('file_read', result)
  if (output === null) return null
  const numbered = output.content === '' ? [] : output.content.split('\n')
  const lines = numbered.filter((line) => /^\s*\d+\t/.test(line)).map((line) => line.replace(/^\s*\d+\t/, ''))
  return {
    path: output.path,
    lines,
    firstLine: output.first_line,
    totalLines: output.total_lines ?? output.last_line,
    whole: output.first_line <= 1 && output.total_lines !== null && lines.length >= output.total_lines
  }
}

/** Any result as text, for quoting; cut to `maxChars`. */
export function textOf(result: DemoResult, maxChars: number): string {
  if (result.kind !== 'done') return ''
  const text = typeof result.value === 'string' ? result.value : plainText(result.value)
  return text.length > maxChars ? `${text.slice(0, maxChars).trimEnd()}…` : text
}

const Texted = z.union([
  z.looseObject({ content: z.string() }).transform((value) => value.content),
  z.looseObject({ text: z.string() }).transform((value) => value.text),
  z.looseObject({ output: z.string() }).transform((value) => value.output)
])

function plainText(value: unknown): string {
  const parsed = Texted.safeParse(value)
  return parsed.success ? parsed.data : (JSON.stringify(value) ?? '')
}

// --- session_history (S-1 to S-10); only what the demo quotes

const Windows = z.looseObject({
  windows: z.array(
    z.looseObject({
      window_id: z.string(),
      current: z.boolean().optional(),
      items: z.number().nullish(),
      opening: z.string().nullish(),
      opening_item_id: z.string().nullish()
    })
  )
})
export type HistoryWindow = z.infer<typeof Windows>['windows'][number]

const Hits = z.looseObject({
  items: z.array(
    z.looseObject({
      item_id: z.string(),
      window_id: z.string(),
      role: z.string().nullish(),
      tool_name: z.string().nullish(),
      snippet: z.string()
    })
  )
})
export type HistoryHit = z.infer<typeof Hits>['items'][number]

const Item = z.looseObject({ item: z.looseObject({ item_id: z.string(), window_id: z.string(), text: z.string() }) })
export type HistoryItem = z.infer<typeof Item>['item']

export function windowsOf(result: DemoResult): HistoryWindow[] {
  const parsed = result.kind === 'done' ? Windows.safeParse(jsonOf(result.value)) : null
  return parsed?.success === true ? parsed.data.windows : []
}

export function hitsOf(result: DemoResult): HistoryHit[] {
  const parsed = result.kind === 'done' ? Hits.safeParse(jsonOf(result.value)) : null
  return parsed?.success === true ? parsed.data.items : []
}

export function itemOf(result: DemoResult): HistoryItem | null {
  const parsed = result.kind === 'done' ? Item.safeParse(jsonOf(result.value)) : null
  return parsed?.success === true ? parsed.data.item : null
}

/** Some hosts hand tool results on as JSON text. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch (cause) {
    if (cause instanceof SyntaxError) return value
    throw cause
  }
}
