// Owns the short hash of a stored line, and lists of them as bytes and as text. It tells that a line changed,
// not who changed it: eight bytes of SHA-256, unkeyed (integrity, not authorship, H-6).
import { createHash } from 'node:crypto'

/** Enough that a changed line passes for the old one once in 2^64; a row then costs eleven characters of index. */
export const LINE_HASH_BYTES = 8

/** A list of line hashes, one after the other; the form in which they are kept and compared. */
export type HashList = Buffer

export const NO_HASHES: HashList = Buffer.alloc(0)

/** The hash of a line's bytes, its newline left out. */
export function lineHash(line: Uint8Array): Buffer {
  return shortHashOf(createHash('sha256').update(line).digest())
}

export function shortHashOf(digest: Buffer): Buffer {
  return digest.subarray(0, LINE_HASH_BYTES)
}

export function hashCount(list: HashList): number {
  return Math.floor(list.length / LINE_HASH_BYTES)
}

/** One hash of a list as a text that can be compared and kept in a set. */
export function hashAt(list: HashList, index: number): string {
  return list.toString('latin1', index * LINE_HASH_BYTES, (index + 1) * LINE_HASH_BYTES)
}

/** All hashes of a list, as texts. */
export function hashesOf(list: HashList): string[] {
  return Array.from({ length: hashCount(list) }, (_, index) => hashAt(list, index))
}

export function listOfHashes(hashes: readonly string[]): HashList {
  return Buffer.from(hashes.join(''), 'latin1')
}

/** As it stands in a file: base64url of all hashes together. */
export function encodeHashes(list: HashList): string {
  return list.toString('base64url')
}

/** The list of an encoded one, or null when it is not whole hashes. */
export function decodeHashes(text: string): HashList | null {
  const list = Buffer.from(text, 'base64url')
  return list.length % LINE_HASH_BYTES === 0 && list.toString('base64url') === text ? list : null
}
