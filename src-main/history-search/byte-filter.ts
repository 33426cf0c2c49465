// Owns the quick look at raw bytes: is one of a few patterns in them? WebAssembly where the machine has vectors, plain
// JavaScript elsewhere; both answer the same. It knows nothing of rows: what it finds, others confirm by parsing.
import { SCAN_BUFFER_BYTES } from '../history/scan-bounded'
import { allocateScanBuffer } from '../history/scan-buffer'
import { BYTE_FILTER_CODE } from './byte-filter-code'
import { type BytePattern, MAX_PATTERN_BYTES, MAX_PATTERNS, rarestMark } from './byte-pattern'

export interface ByteFilter {
  /** What is looked at must stand in here; made for scans, which fill it. */
  readonly buffer: Buffer
  /** Pattern n is bit n of what `find` takes and answers. */
  setPatterns(patterns: readonly BytePattern[]): void
  /** The bit of a wanted pattern that stands in `buffer[start, end)`, 0 when none does. */
  find(start: number, end: number, wanted: number): number
}

/** The fastest filter that this machine has. */
export function createByteFilter(): ByteFilter {
  // Node's own types leave it out, the browser's know it: read as what is used of it.
  const found: unknown = Reflect.get(globalThis, 'WebAssembly')
  const wasm = found as WebAssemblyHost | undefined
  const code = Buffer.from(BYTE_FILTER_CODE, 'base64')
  if (wasm === undefined || !wasm.validate(code)) return createPlainFilter()
  return vectorFilter(new wasm.Instance(new wasm.Module(code)).exports)
}

/** The same in JavaScript, several times slower. */
export function createPlainFilter(): ByteFilter {
  let expressions: RegExp[] = []
  const buffer = allocateScanBuffer(SCAN_BUFFER_BYTES)
  return {
    buffer,
    setPatterns(patterns) {
      checkPatterns(patterns)
      expressions = patterns.map(expressionOf)
    },
    find(start, end, wanted) {
      const text = buffer.toString('latin1', start, end)
      const found = expressions.findIndex((expression, at) => (wanted & (1 << at)) !== 0 && expression.test(text))
      return found === -1 ? 0 : 1 << found
    }
  }
}

interface WebAssemblyHost {
  validate(code: Uint8Array): boolean
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: FilterExports }
}

interface FilterExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  find(start: number, end: number, wanted: number): number
}

/** Places in the memory of the code, as byte-filter.wat has them. */
const PLACES = { entries: 128, bytes: 256, end: 256 + MAX_PATTERNS * 2 * MAX_PATTERN_BYTES }
const MARK_BYTES = 3
/** Of the mark, looked at everywhere; the third only where they agree. */
const FIRST_LOOK_BYTES = 2
/** Off the page, as in scan-buffer: copies into it are several times faster on some processors. */
const BUFFER_OFFSET = 8_128

function vectorFilter({ memory, find }: FilterExports): ByteFilter {
  const bytes = new Uint8Array(memory.buffer)
  const view = new DataView(memory.buffer)
  return {
    buffer: Buffer.from(memory.buffer, BUFFER_OFFSET, SCAN_BUFFER_BYTES),
    setPatterns(patterns) {
      checkPatterns(patterns)
      bytes.fill(0, 0, PLACES.end)
      for (const [at, pattern] of patterns.entries()) {
        const mark = rarestMark(pattern, FIRST_LOOK_BYTES)
        markTables(bytes, pattern, mark, 1 << at)
        view.setInt32(PLACES.entries + at * 8, pattern.bytes.length, true)
        view.setInt32(PLACES.entries + at * 8 + 4, mark, true)
        bytes.set(pattern.bytes, PLACES.bytes + at * 2 * MAX_PATTERN_BYTES)
        bytes.set(pattern.alternatives, PLACES.bytes + (at * 2 + 1) * MAX_PATTERN_BYTES)
      }
    },
    find: (start, end, wanted) => find(BUFFER_OFFSET + start, BUFFER_OFFSET + end, wanted)
  }
}

/** Sets the pattern's bit in the six tables; behind the end of a short pattern any byte will do. */
function markTables(tables: Uint8Array, { bytes, alternatives }: BytePattern, mark: number, bit: number): void {
  const add = (at: number, low: number, high: number): void => {
    tables[at * 32 + low] = (tables[at * 32 + low] ?? 0) | bit
    tables[at * 32 + 16 + high] = (tables[at * 32 + 16 + high] ?? 0) | bit
  }
  for (let at = 0; at < MARK_BYTES; at++) {
    const [byte, other] = [bytes[mark + at], alternatives[mark + at]]
    if (byte === undefined || other === undefined) {
      for (let half = 0; half < 16; half++) add(at, half, half)
    } else {
      add(at, byte & 15, byte >> 4)
      add(at, other & 15, other >> 4)
    }
  }
}

function expressionOf({ bytes, alternatives }: BytePattern): RegExp {
  const code = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`
  return new RegExp([...bytes].map((byte, at) => `[${code(byte)}${code(alternatives[at] ?? byte)}]`).join(''))
}

function checkPatterns(patterns: readonly BytePattern[]): void {
  if (patterns.length > MAX_PATTERNS) throw new RangeError('More patterns than the filter holds.')
  for (const { bytes, alternatives } of patterns)
    if (bytes.length === 0 || bytes.length > MAX_PATTERN_BYTES || bytes.length !== alternatives.length)
      throw new RangeError('A pattern has a length that the filter does not hold.')
}
