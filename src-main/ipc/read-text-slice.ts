// Owns reading a slice of a text file by bytes, cut at whole characters.
import { open } from 'node:fs/promises'

export interface TextSlice {
  readonly text: string
  /** Where the next slice begins; null at the end. */
  readonly nextOffset: number | null
  readonly totalBytes: number
}

/** At most `maxBytes` from `offset`, which must be one that an earlier slice named, or 0. Rejects with the system's error. */
export async function readTextSlice(path: string, offset: number, maxBytes: number): Promise<TextSlice> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.max(0, Math.min(maxBytes, size - offset)))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset)
    const end = offset + bytesRead < size ? wholeCharacters(buffer, bytesRead) : bytesRead
    const next = offset + end
    return { text: buffer.toString('utf8', 0, end), nextOffset: next < size && end > 0 ? next : null, totalBytes: size }
  } finally {
    await file.close()
  }
}

/** Bytes up to the last whole UTF-8 character; bytes that are no UTF-8 are kept as they are. */
function wholeCharacters(buffer: Buffer, length: number): number {
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = buffer[length - back] ?? 0
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needed > back ? length - back : length
  }
  return length
}
