// Owns the quick look at a parsed line: true only where the row schema would accept it unchanged.
// It may say no to a row that the schema accepts (a rare shape costs time, not truth), never the reverse.
import type { Row } from '@common/rows/row-schema'

type Fields = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const METADATA_CHECKS: Readonly<Record<string, Check>> = {
  historySequence: isNumber,
  timestamp: isNumber,
  model: isString,
  agentId: isString,
  usage: isUsage,
  contextUsage: isUsage,
  providerMetadata: isRecordOfRecords,
  synthetic: isBoolean,
  uiVisible: isBoolean,
  machine: hasType,
  contextBoundaryKind: (value) => value === 'reset' || value === 'compaction',
  rolloverId: isString,
  copyOf: isString,
  warningId: isString,
  pausedFor: isString,
  requestSequence: isNumber,
  continues: isString,
  interrupted: isBoolean,
  error: (value) => isFields(value) && isString(value['kind']) && isString(value['message']),
  durationMs: isNumber,
  costUsd: isNumber,
  // One row a window has these; the schema may look at that one.
  compaction: () => false,
  postCompactionContext: () => false
}

const USAGE_FIELDS = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'outputTokens', 'reasoningTokens'] as const

/** True when the row schema accepts the value as it is. */
export function isWellFormedRow(value: unknown): value is Row {
  if (!isFields(value)) return false
  const { id, role, parts, metadata } = value
  if (typeof id !== 'string' || id === '' || (role !== 'user' && role !== 'assistant')) return false
  return Array.isArray(parts) && parts.every(hasType) && isFields(metadata) && isMetadata(metadata)
}

function isMetadata(metadata: Fields): boolean {
  for (const key in metadata) {
    if (!Object.hasOwn(METADATA_CHECKS, key)) continue
    const check = METADATA_CHECKS[key]
    if (check !== undefined && !check(metadata[key])) return false
  }
  return true
}

function isUsage(value: unknown): boolean {
  return isFields(value) && USAGE_FIELDS.every((field) => isNumber(value[field]))
}

function isRecordOfRecords(value: unknown): boolean {
  return isFields(value) && Object.values(value).every(isFields)
}

function hasType(value: unknown): boolean {
  return isFields(value) && isString(value['type'])
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}
