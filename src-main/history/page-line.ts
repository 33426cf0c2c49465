// Owns what a stored line becomes on its way to the screen: usually the very same bytes.
import { parseJsonLine } from './parse-line'

export type PageLine =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: 'unparsed' | 'not-a-row' }

const HEADER_NEEDLE = Buffer.from('"postCompactionContext"')

/**
 * The line for a page. `postCompactionContext` never crosses to the renderer (K-2), so a row that holds it is
 * written anew without it; every other line is passed on as it is. A row whose line is over `maxBytes` becomes
 * a placeholder with the same id, role, sequence and boundary kind.
 */
export function pageLineOf(bytes: Buffer, maxBytes: number): PageLine {
  const line = bytes.toString('utf8')
  const value = parseJsonLine(line)
  if (value === undefined) return { ok: false, problem: 'unparsed' }
  if (!isFields(value) || typeof value['id'] !== 'string' || value['id'] === '')
    return { ok: false, problem: 'not-a-row' }
  const text = bytes.includes(HEADER_NEEDLE) ? withoutHeader(value, line) : line
  if (Buffer.byteLength(text) <= maxBytes) return { ok: true, text }
  return { ok: true, text: JSON.stringify(placeholderOf(value, bytes.length)) }
}

function withoutHeader(value: Fields, line: string): string {
  const { metadata } = value
  if (!isFields(metadata) || !('postCompactionContext' in metadata)) return line
  const { postCompactionContext: _header, ...kept } = metadata
  return JSON.stringify({ ...value, metadata: kept })
}

function placeholderOf({ id, role, metadata }: Fields, bytes: number): Fields {
  const kept = isFields(metadata) ? metadata : {}
  return {
    id,
    role,
    parts: [],
    metadata: {
      timestamp: kept['timestamp'],
      synthetic: true,
      uiVisible: true,
      machine: { type: 'oversized-row', bytes },
      contextBoundaryKind: kept['contextBoundaryKind'],
      historySequence: kept['historySequence']
    }
  }
}

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
