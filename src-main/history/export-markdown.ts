// Owns how a row reads in an exported Markdown document. Pure; asks the row table what a row is.
import { isBoundary, windowIdOfBoundary } from '@common/rows/boundaries'
import { rowKindOf, usesOf } from '@common/rows/row-kinds'
import { isKnownPart, type Row, RowPart, type ToolPart } from '@common/rows/row-schema'

export function markdownHead(title: string): string {
  return `# ${title.replaceAll(/\s+/g, ' ').trim() || 'Conversation'}\n`
}

/** The row with the divider of the window that it begins; nothing for a row that no screen shows. */
export function markdownOfRow(row: Row): string {
  const divider = isBoundary(row) ? `\n---\n\n*${dividerText(row)}*\n` : ''
  return divider + bodyOf(row)
}

function dividerText(row: Row): string {
  return `Window ${windowIdOfBoundary(row)} begins here (${rowKindOf(row)})`
}

function bodyOf(row: Row): string {
  const { screen } = usesOf(row)
  switch (screen) {
    case 'message':
      return section(headingOf(row), row)
    case 'not-sent':
      return section('User (not sent)', row, notSentText(row))
    case 'line':
      return row.metadata.uiVisible === false ? '' : section(`App: ${machineName(row)}`, row, machineText(row))
    case 'divider':
    case 'debug':
    case 'hidden':
      return ''
  }
}

function headingOf(row: Row): string {
  if (row.role === 'user') return 'User'
  if (isBoundary(row)) return 'Summary'
  return row.metadata.model === undefined ? 'Assistant' : `Assistant (${row.metadata.model})`
}

function section(heading: string, row: Row, extra = ''): string {
  const { timestamp, interrupted, error } = row.metadata
  const time = timestamp === undefined ? '' : ` · ${isoTime(timestamp)}`
  const blocks = [...row.parts.map(blockOf), extra]
  if (interrupted === true) blocks.push('*Interrupted.*')
  if (error !== undefined) blocks.push(`*Ended with an error: ${error.message}*`)
  const body = blocks.filter((block) => block !== '').join('\n\n')
  return `\n## ${heading}${time}\n${body === '' ? '' : `\n${body}\n`}`
}

function blockOf(part: RowPart): string {
  if (!isKnownPart(part)) return `*[${part.type}]*`
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return part.text === '' ? '' : `> *Reasoning*\n>\n${quoted(part.text)}`
    case 'step':
      return ''
    case 'file':
      return `*[${part.mediaType}: ${part.filename ?? part.url} (${part.url})]*`
    case 'dynamic-tool':
      return toolBlock(part)
  }
}

function toolBlock(part: ToolPart): string {
  const result = part.state === 'output-available' ? part.output : part.errorText
  const spill =
    part.outputSpill === undefined
      ? ''
      : `\n\nThe whole: spill/${part.outputSpill.id} (${part.outputSpill.bytes} bytes)`
  const shown = result === undefined ? '' : `\n\n${fenced(result)}`
  return `**Tool ${part.toolName}** (${part.state})\n\n${fenced(part.input)}${shown}${spill}`
}

/** A fence longer than any run of backticks inside. */
function fenced(value: unknown): string {
  const isText = typeof value === 'string'
  const text = isText ? value : (JSON.stringify(value, null, 2) ?? '')
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${isText ? '' : 'json'}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

function machineName(row: Row): string {
  return row.metadata.machine?.type ?? rowKindOf(row)
}

/** Most machine rows say what they are about in their text; one without text shows its note. */
function machineText(row: Row): string {
  if (row.parts.length > 0 || row.metadata.machine === undefined) return ''
  const { type: _type, ...note } = row.metadata.machine
  return Object.keys(note).length === 0 ? '' : fenced(note)
}

/** A capsule keeps what the person wrote in its metadata (H-12). */
function notSentText(row: Row): string {
  const parts = row.metadata.machine?.['parts']
  if (!Array.isArray(parts)) return machineText(row)
  return parts
    .flatMap((part: unknown) => {
      const parsed = RowPart.safeParse(part)
      return parsed.success ? [blockOf(parsed.data)] : []
    })
    .join('\n\n')
}

function isoTime(timestampMs: number): string {
  const time = new Date(timestampMs)
  return Number.isNaN(time.getTime()) ? String(timestampMs) : time.toISOString()
}
