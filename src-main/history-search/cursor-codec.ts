// Owns the form of a cursor (S-5): a place, what it belongs to, and a seal that only this installation can make. A few
// bytes, base64url, at most MAX_HISTORY_CURSOR_CHARS. What a place is worth now is asked elsewhere.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { err, ok, type Result } from '@common/result'

export const CURSOR_ACTIONS = ['list_windows', 'search', 'read_item'] as const
export type CursorAction = (typeof CURSOR_ACTIONS)[number]

export interface CursorPlace {
  readonly window: number
  readonly byteOffset: number
  readonly isInLongLine: boolean
  /** State of the window's file when the cursor was made (`stampHash`). */
  readonly stamp: string
  /** Short hash of the epoch then. */
  readonly epoch: string
  /** Newest window then, and the size of its file: nothing newer was looked at. */
  readonly snapshot: { readonly window: number; readonly byteOffset: number }
  /** What the action itself remembers; a few whole numbers from 0. */
  readonly details: readonly number[]
}

export interface CursorOwner {
  readonly workspaceId: string
  readonly action: CursorAction
  /** What the action was asked for: query, window, item. */
  readonly purpose: string
}

/** `forged`: not made by this installation, or changed. `foreign`: another workspace's, action's or query's. */
export type CursorProblem = 'forged' | 'foreign'

const VERSION = 1
const SEAL_BYTES = 16
const HASH_BYTES = 6
const STAMP_BYTES = 8
const EPOCH_BYTES = 4

/** `key` is the secret of this installation. */
export function encodeCursor(place: CursorPlace, owner: CursorOwner, key: Uint8Array): string {
  const flags = (place.isInLongLine ? 1 : 0) | (place.details.length << 1)
  const payload = Buffer.concat([
    Buffer.from([VERSION, CURSOR_ACTIONS.indexOf(owner.action), flags]),
    ownerHash(owner),
    Buffer.from(place.epoch, 'hex'),
    Buffer.from(place.stamp, 'hex'),
    ...[place.window, place.byteOffset, place.snapshot.window, place.snapshot.byteOffset, ...place.details].map(varint)
  ])
  return Buffer.concat([payload, sealOf(payload, key)]).toString('base64url')
}

export function decodeCursor(text: string, owner: CursorOwner, key: Uint8Array): Result<CursorPlace, CursorProblem> {
  const bytes = Buffer.from(text, 'base64url')
  // Node passes over signs that are no base64url: only the one spelling that we write is a cursor.
  if (bytes.length <= SEAL_BYTES || bytes.toString('base64url') !== text) return err('forged')
  const payload = bytes.subarray(0, -SEAL_BYTES)
  if (!timingSafeEqual(bytes.subarray(-SEAL_BYTES), sealOf(payload, key))) return err('forged')
  const [version, action, flags = 0] = payload
  const hashEnd = 3 + HASH_BYTES
  const stampAt = hashEnd + EPOCH_BYTES
  const numbers = readVarints(payload.subarray(stampAt + STAMP_BYTES))
  const [window, byteOffset, snapshotWindow, snapshotOffset, ...details] = numbers ?? []
  if (version !== VERSION || snapshotWindow === undefined || snapshotOffset === undefined) return err('forged')
  if (window === undefined || byteOffset === undefined || details.length !== flags >> 1) return err('forged')
  if (action !== CURSOR_ACTIONS.indexOf(owner.action) || !payload.subarray(3, hashEnd).equals(ownerHash(owner)))
    return err('foreign')
  return ok({
    window,
    byteOffset,
    isInLongLine: (flags & 1) === 1,
    epoch: payload.subarray(hashEnd, stampAt).toString('hex'),
    stamp: payload.subarray(stampAt, stampAt + STAMP_BYTES).toString('hex'),
    snapshot: { window: snapshotWindow, byteOffset: snapshotOffset },
    details
  })
}

function ownerHash({ workspaceId, action, purpose }: CursorOwner): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([workspaceId, action, purpose]))
    .digest()
    .subarray(0, HASH_BYTES)
}

function sealOf(payload: Uint8Array, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('tidemark cursor\0').update(payload).digest().subarray(0, SEAL_BYTES)
}

/** Seven bits a byte, the lowest first; the top bit says that more follow. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  do {
    const low = left % 128
    left = Math.floor(left / 128)
    bytes.push(left > 0 ? low | 128 : low)
  } while (left > 0)
  return Buffer.from(bytes)
}

function readVarints(bytes: Uint8Array): number[] | null {
  const values: number[] = []
  let [value, factor] = [0, 1]
  for (const byte of bytes) {
    value += (byte & 127) * factor
    factor *= 128
    if (!Number.isSafeInteger(value)) return null
    if (byte >= 128) continue
    values.push(value)
    ;[value, factor] = [0, 1]
  }
  return factor === 1 ? values : null
}
