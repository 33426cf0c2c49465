// Owns the forms of item ids (S-2): short ones that models copy well, and exact ones that name one row of one state of
// the history. What an id names is found elsewhere; an exact id carries a fingerprint, so it never names another row.
import { createHash } from 'node:crypto'

export type ItemId =
  | { readonly kind: 'sequence'; readonly sequence: number }
  | { readonly kind: 'message'; readonly messageId: string }
  | { readonly kind: 'exact'; readonly reference: ExactReference }

export interface ExactReference {
  /** Short hash of the epoch. */
  readonly epoch: string
  readonly window: number
  readonly byteOffset: number
  /** Of the row's line. */
  readonly fingerprint: string
}

/** A longer message id would not fit a result or a model's memory; such a row gets an exact id. */
export const MAX_SHORT_MESSAGE_ID = 100

/** Null when the text has none of the forms. */
export function parseItemId(text: string): ItemId | null {
  const sequence = /^i:(\d{1,15})$/.exec(text)?.[1]
  if (sequence !== undefined) return { kind: 'sequence', sequence: Number(sequence) }
  if (text.startsWith('m:') && text.length > 2) return { kind: 'message', messageId: text.slice(2) }
  const exact = /^x:([0-9a-f]{8})\.(\d{1,15})\.(\d{1,15})\.([0-9a-f]{12})$/.exec(text)
  const [, epoch, window, byteOffset, fingerprint] = exact ?? []
  if (epoch === undefined || fingerprint === undefined) return null
  return {
    kind: 'exact',
    reference: { epoch, window: Number(window), byteOffset: Number(byteOffset), fingerprint }
  }
}

export function sequenceItemId(sequence: number): string {
  return `i:${sequence}`
}

export function exactItemId({ epoch, window, byteOffset, fingerprint }: ExactReference): string {
  return `x:${epoch}.${window}.${byteOffset}.${fingerprint}`
}

/** Short hash of an epoch, for ids and cursors. */
export function epochHash(epoch: string): string {
  return createHash('sha256').update(epoch).digest('hex').slice(0, 8)
}

/** Of a row's line, without its newline. */
export function fingerprintOf(line: Uint8Array): string {
  return createHash('sha256').update(line).digest('hex').slice(0, 12)
}
