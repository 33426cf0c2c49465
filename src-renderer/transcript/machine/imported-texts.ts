// Owns the words for lines that were imported from a session of pi: it wrote more than messages. Pure.
import type { Row } from '@common/rows/row-schema'

const LABELS: Readonly<Record<string, string>> = {
  'pi-model_change': 'Model changed',
  'pi-compaction': 'Compacted',
  'pi-branch_summary': 'Summary of a branch',
  'pi-custom_message': 'Note of an extension',
  'pi-message': 'A message of pi'
}

/** Null for a row that was not imported from pi. */
export function importedLabel(type: string): string | null {
  if (!type.startsWith('pi-')) return null
  return LABELS[type] ?? `Imported: ${type.slice('pi-'.length).replaceAll('_', ' ')}`
}

/** What stands beside the label, and under it when it is opened: the sentence in the note, or its fields. */
export function noteText(row: Row): string {
  const { type: _type, ...note } = row.metadata.machine ?? { type: '' }
  const { provider, modelId, summary, content } = note
  if (typeof provider === 'string' && typeof modelId === 'string') return `${provider}:${modelId}`
  for (const said of [summary, content]) if (typeof said === 'string' && said !== '') return said
  const fields = Object.entries(note).filter(([name]) => !['id', 'parentId', 'timestamp'].includes(name))
  return fields.map(([name, value]) => `${name}: ${fieldText(value)}`).join('\n')
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
