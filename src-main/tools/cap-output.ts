// Owns caps at the door (O-2, H-13): a value over the cap of a row goes whole to a spill, and what stays
// keeps its shape, with head and tail of its longest strings and lists and a note that names the spill.
// Invariant: what is kept is valid JSON of at most `capBytes`, and never parts a surrogate pair.
import type { SpillReference } from '@common/rows/row-schema'
import { fitValue } from './fit-value'
import { headAndTail, jsonBytes } from './json-bytes'
import type { SpillStore } from './tool-types'

/** `kept` is the value itself when it was under the cap. */
export interface Capped<T> {
  readonly kept: T
  readonly spill?: SpillReference
}

/** The field that names the spill in a cut object; typed readers pass over it. */
export const SPILL_NOTE_FIELD = 'cut_note'

/** Caps any JSON value. A spill that cannot be written is said in the note; the call still has its outcome. */
export async function capOutput(
  value: unknown,
  spill: Pick<SpillStore, 'write'>,
  capBytes: number
): Promise<Capped<unknown>> {
  const whole = JSON.stringify(value)
  if (whole === undefined || Buffer.byteLength(whole) <= capBytes) return { kept: value }
  const isText = typeof value === 'string'
  const plain: unknown = JSON.parse(whole)
  // One space of indent: every field begins a line, so that file_read can page it.
  const stored = await keepWhole(isText ? value : JSON.stringify(plain, null, 1), isText, spill)
  const kept = fitWithNote(plain, stored.note, capBytes)
  return stored.reference === null ? { kept } : { kept, spill: stored.reference }
}

/** Caps a text, an error say, by the bytes of its JSON string. */
export async function capText(
  text: string,
  spill: Pick<SpillStore, 'write'>,
  capBytes: number
): Promise<Capped<string>> {
  if (jsonBytes(text) <= capBytes) return { kept: text }
  const stored = await keepWhole(text, true, spill)
  const kept = headAndTail(text, stored.note, capBytes)
  return stored.reference === null ? { kept } : { kept, spill: stored.reference }
}

/** How the agent gets at the rest, in words. */
export function spillNote(reference: SpillReference): string {
  return `the whole (${reference.bytes} bytes) is spill:${reference.id}; read it with file_read, path "spill:${reference.id}"`
}

function fitWithNote(plain: unknown, note: string, capBytes: number): unknown {
  if (Array.isArray(plain)) {
    const line = `[… cut here: ${note} …]`
    const items = fitValue(plain, capBytes - jsonBytes(line) - 1, note)
    if (Array.isArray(items)) items.splice(Math.ceil(items.length / 2), 0, line)
    return lastResort(items, plain, note, capBytes)
  }
  if (typeof plain !== 'object' || plain === null) return fitValue(plain, capBytes, note)
  const field = { [SPILL_NOTE_FIELD]: note }
  const fitted = fitValue(plain, capBytes - jsonBytes(field), note)
  return lastResort({ ...(fitted as object), ...field }, plain, note, capBytes)
}

/** A shape that cannot shrink enough (deep nesting, a tiny cap) becomes head and tail of its JSON. */
function lastResort(fitted: unknown, plain: unknown, note: string, capBytes: number): unknown {
  return jsonBytes(fitted) <= capBytes ? fitted : headAndTail(JSON.stringify(plain), note, capBytes)
}

async function keepWhole(
  text: string,
  isText: boolean,
  spill: Pick<SpillStore, 'write'>
): Promise<{ reference: SpillReference | null; note: string }> {
  try {
    const reference = await spill.write(text, isText ? 'text/plain' : 'application/json')
    return { reference, note: spillNote(reference) }
  } catch (cause) {
    // The call did what it did; losing its result as well would be the worse lie.
    const why = cause instanceof Error ? cause.message.slice(0, 200) : 'unknown fault'
    return { reference: null, note: `the whole could not be kept (${why})` }
  }
}
