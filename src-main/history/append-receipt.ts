// Owns append-receipt.json: our private proof of the last tracked append. It is overwritten in place on a kept
// descriptor and not synced: what it says is checked against the window file, and a wrong one only costs a scan.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { PRIVATE_FILE_MODE } from '../files/app-paths'
import { fileErrorOf, isNotFound } from '../files/file-error'
import { type FileStamp, OPEN_CREATE_OR_UPDATE, OPEN_READ, OPEN_UPDATE } from '../files/file-system'
import { openIfThere } from '../files/open-if-there'
import { writeAll } from '../files/write-all'
import type { HistoryFiles } from './history-files'

const ReceiptBody = z.looseObject({
  version: z.literal(1),
  /** Window file of the last append, null when there was none yet. */
  window: z.number().nullable(),
  device: z.string(),
  inode: z.string(),
  size: z.number(),
  mtimeNs: z.string(),
  ctimeNs: z.string(),
  /** The highest sequence ever given, also to rows that were cut since. */
  highestSequence: z.number().int().nonnegative(),
  /** Changes when the file changed without us: what points into it by offset expires. */
  epoch: z.string(),
  /** Windows that were sealed by tracked appends in this epoch, the newest last: each with the stamp it was left in. */
  sealed: z.array(z.object({ window: z.number(), stamp: z.string() })).optional(),
  /** Hashes of the newest lines from byte `from` on: after a crash no index holds them yet (H-6). */
  tail: z.object({ from: z.number(), hashes: z.string() }).optional(),
  /** Bytes `[from, to)` of a failed append that could not be removed at the time. */
  cut: z.object({ from: z.number(), to: z.number() }).optional()
})
export type Receipt = z.infer<typeof ReceiptBody>

/** More windows than are started between two pages of a search; what is older expires, which costs a new search. */
export const MAX_SEALED_STAMPS = 8

const StoredReceipt = z.object({ receipt: z.unknown(), checksum: z.string() })

/** Fixed, so that a shorter receipt overwrites a longer one and one write always suffices. */
const RECEIPT_BYTES = 1_024

export class ReceiptFile {
  readonly #files: HistoryFiles
  #descriptor: number | null = null

  constructor(files: HistoryFiles) {
    this.#files = files
  }

  /** The receipt on disk, null when it is missing or damaged. Throws the system's error. */
  read(): Receipt | null {
    this.close()
    const { fs, paths } = this.#files
    try {
      this.#descriptor = fs.open(paths.receipt, OPEN_UPDATE)
    } catch (cause) {
      if (isNotFound(cause)) return null
      return this.#readOnly(cause)
    }
    return parseReceipt(readAt(fs, this.#descriptor))
  }

  /** Overwrites the receipt. A failure is logged and answered with false; it never fails an append (H-1). */
  write(receipt: Receipt): boolean {
    const { fs, paths, log } = this.#files
    try {
      if (this.#descriptor === null) this.#create()
      if (this.#descriptor !== null) writeAll(fs, this.#descriptor, serialiseReceipt(receipt), 0)
      return true
    } catch (cause) {
      log.warn('receipt-write-failed', { ...fileErrorOf(cause, 'write the append receipt', paths.receipt) })
      return false
    }
  }

  /** What was written is on disk when answered: after an edit, where no window tells the highest sequence. */
  async sync(): Promise<void> {
    if (this.#descriptor !== null) await this.#files.fs.datasync(this.#descriptor)
  }

  close(): void {
    const { fs, log, paths } = this.#files
    if (this.#descriptor === null) return
    const descriptor = this.#descriptor
    this.#descriptor = null
    try {
      fs.close(descriptor)
    } catch (cause) {
      log.warn('receipt-close-failed', { ...fileErrorOf(cause, 'close the append receipt', paths.receipt) })
    }
  }

  #create(): void {
    const { fs, paths } = this.#files
    this.#descriptor = fs.open(paths.receipt, OPEN_CREATE_OR_UPDATE, PRIVATE_FILE_MODE)
    fs.setMode(this.#descriptor, PRIVATE_FILE_MODE)
  }

  /** A folder that may only be read still shows its receipt. */
  #readOnly(cause: unknown): Receipt | null {
    const { fs, paths } = this.#files
    const { kind } = fileErrorOf(cause, 'open the append receipt', paths.receipt)
    if (kind !== 'permission' && kind !== 'read_only') throw cause
    const descriptor = fs.open(paths.receipt, OPEN_READ)
    try {
      return parseReceipt(readAt(fs, descriptor))
    } finally {
      fs.close(descriptor)
    }
  }
}

/** The receipt on disk without keeping it open: for readers. Null when it is missing or damaged. Throws the system's error. */
export function readReceipt({ fs, paths }: HistoryFiles): Receipt | null {
  const descriptor = openIfThere(fs, paths.receipt)
  if (descriptor === null) return null
  try {
    return parseReceipt(readAt(fs, descriptor))
  } finally {
    fs.close(descriptor)
  }
}

/** Short name of a state of a window's file: equal ones mean that nobody touched it between. */
export function stampHash(window: number, stamp: FileStamp): string {
  const { device, inode, size, mtimeNs, ctimeNs } = stamp
  return createHash('sha256')
    .update([window, device, inode, size, mtimeNs, ctimeNs].join(' '))
    .digest('hex')
    .slice(0, 16)
}

/** True when the receipt describes exactly this state of this window's file. */
export function receiptMatches(receipt: Receipt, window: number, stamp: FileStamp): boolean {
  return (
    isReceiptOfFile(receipt, window, stamp) &&
    receipt.size === stamp.size &&
    receipt.mtimeNs === String(stamp.mtimeNs) &&
    receipt.ctimeNs === String(stamp.ctimeNs)
  )
}

/** True when the receipt is about this window's file, whatever happened to it since. */
export function isReceiptOfFile(receipt: Receipt, window: number, stamp: FileStamp): boolean {
  return receipt.window === window && receipt.device === String(stamp.device) && receipt.inode === String(stamp.inode)
}

/** What a receipt says of a file. */
export function receiptStampOf(stamp: FileStamp): Pick<Receipt, 'device' | 'inode' | 'size' | 'mtimeNs' | 'ctimeNs'> {
  return {
    device: String(stamp.device),
    inode: String(stamp.inode),
    size: stamp.size,
    mtimeNs: String(stamp.mtimeNs),
    ctimeNs: String(stamp.ctimeNs)
  }
}

function serialiseReceipt(receipt: Receipt): Buffer {
  const text = receiptText(receipt)
  const { tail: _tail, ...needed } = receipt
  return Buffer.from(`${(text.length < RECEIPT_BYTES ? text : receiptText(needed)).padEnd(RECEIPT_BYTES - 1)}\n`)
}

function receiptText(receipt: Receipt): string {
  const body = JSON.stringify(receipt)
  return `{"receipt":${body},"checksum":"${checksumOf(body)}"}`
}

function parseReceipt(text: string): Receipt | null {
  try {
    const stored = StoredReceipt.safeParse(JSON.parse(text))
    if (!stored.success || stored.data.checksum !== checksumOf(JSON.stringify(stored.data.receipt))) return null
    const body = ReceiptBody.safeParse(stored.data.receipt)
    return body.success ? body.data : null
  } catch (cause) {
    if (cause instanceof SyntaxError) return null
    throw cause
  }
}

function readAt(fs: HistoryFiles['fs'], descriptor: number): string {
  // A newer version may need more room.
  const bytes = Buffer.alloc(RECEIPT_BYTES * 4)
  return bytes.toString('utf8', 0, fs.read(descriptor, bytes, 0, bytes.length, 0))
}

/** FNV-1a, 32 bits: enough to tell a half-written receipt, and much cheaper than a digest. */
function checksumOf(body: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < body.length; at++) hash = Math.imul(hash ^ body.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
