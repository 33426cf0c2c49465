// Owns text that no endpoint takes: half of a surrogate pair, as a cut string or a model's escapes leave it.
// A request with one is refused whole, and with it every later one of the conversation. Pure.

const ANY_HALF = /[\ud800-\udfff]/
/** With `u` a pair is one character, so that only halves match. */
const LONE_HALVES = /\p{Surrogate}/gu

/** Objects that hold none: a prompt is built again for each step from the same objects. */
const known = new WeakSet<object>()

/** The value with each half replaced by U+FFFD; the very same value when it holds none. */
export function wellFormed<T>(value: T): T {
  return repaired(value) as T
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return ANY_HALF.test(value) ? value.replace(LONE_HALVES, '\ufffd') : value
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || known.has(value)) return value
  const mended = Array.isArray(value) ? repairedList(value) : repairedObject(value)
  known.add(mended)
  return mended
}

function repairedList(list: readonly unknown[]): readonly unknown[] {
  const items = list.map(repaired)
  return items.every((item, index) => item === list[index]) ? list : items
}

function repairedObject(value: object): object {
  let isSame = true
  const mended = Object.entries(value).map(([key, field]) => {
    const pair = [repaired(key), repaired(field)] as const
    isSame &&= pair[0] === key && pair[1] === field
    return pair
  })
  return isSame ? value : Object.fromEntries(mended)
}
