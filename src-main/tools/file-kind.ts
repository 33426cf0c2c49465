// Owns telling text from binary by a file's first bytes. Pure.

/** As git does it: a NUL byte near the start means binary. */
const SNIFF_BYTES = 8_000

const SIGNATURES: readonly (readonly [string, readonly number[]])[] = [
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['a PDF document', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['a ZIP archive (or an office document, a JAR)', [0x50, 0x4b, 0x03, 0x04]],
  ['gzip data', [0x1f, 0x8b]],
  ['an ELF program', [0x7f, 0x45, 0x4c, 0x46]],
  ['a WebAssembly module', [0x00, 0x61, 0x73, 0x6d]],
  ['a SQLite database', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]],
  ['UTF-16 text; convert it with `iconv -f UTF-16 -t UTF-8`', [0xff, 0xfe]],
  ['UTF-16 text; convert it with `iconv -f UTF-16 -t UTF-8`', [0xfe, 0xff]]
]

const MEDIA: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['application/pdf', /^%PDF-/]
]

/** The media type of a file that a model can look at as it is, or null. */
export function mediaTypeOf(start: Uint8Array): string | null {
  const text = Buffer.from(start.subarray(0, 16)).toString('latin1')
  return MEDIA.find(([, signature]) => signature.test(text))?.[0] ?? null
}

/** What a binary file is, in words, or null for text. */
export function binaryKindOf(start: Uint8Array): string | null {
  const found = SIGNATURES.find(([, signature]) => signature.every((byte, index) => start[index] === byte))
  if (found) return found[0]
  return start.subarray(0, SNIFF_BYTES).includes(0) ? 'binary data' : null
}
