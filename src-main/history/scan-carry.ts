// Owns bytes that one call of a bounded scan read and the next one needs, so that no byte is read twice: at most a
// step and one line. It is a saving, never a truth: without it the next call reads them again.
import type { ScanCursor } from './scan-types'

export interface CarryKey {
  readonly direction: 'forward' | 'backward'
  readonly window: number
  /** The cursor's offset: carried bytes end there (backward) or begin there (forward). */
  readonly byteOffset: number
  readonly inode: bigint
  /** Bytes of another epoch may be others. */
  readonly epoch: string
}

export class ScanCarry {
  #key: CarryKey | null = null
  /** Grows to what was needed once, so that a chain of calls allocates nothing. */
  #bytes: Buffer = Buffer.alloc(0)
  #length = 0

  /** Keeps a copy; what was kept before is given up. */
  keep(key: CarryKey, bytes: Buffer): void {
    this.#key = bytes.length === 0 ? null : key
    if (this.#bytes.length < bytes.length) this.#bytes = Buffer.allocUnsafeSlow(bytes.length)
    this.#length = bytes.copy(this.#bytes)
  }

  /** The bytes next to this place, once; valid until others are kept. */
  take(key: CarryKey): Buffer | null {
    const kept = this.#key
    this.#key = null
    if (kept === null || kept.direction !== key.direction || kept.window !== key.window) return null
    const isSame = kept.byteOffset === key.byteOffset && kept.inode === key.inode && kept.epoch === key.epoch
    return isSame ? this.#bytes.subarray(0, this.#length) : null
  }
}

/** The key of the bytes next to a cursor. */
export function carryKeyOf(
  direction: CarryKey['direction'],
  { window, byteOffset }: Pick<ScanCursor, 'window' | 'byteOffset'>,
  file: { readonly inode: bigint; readonly epoch: string }
): CarryKey {
  return { direction, window, byteOffset, inode: file.inode, epoch: file.epoch }
}
