// Owns shrinking a JSON value to a size while it keeps its shape: small parts stay whole, the largest are
// cut to equal shares (strings and lists to head and tail). Pure. A best effort: the caller checks the size.
import { headAndTail, jsonBytes } from './json-bytes'

/** A part is not cut below this: less would tell nothing. */
const MIN_PART_BYTES = 256

/** Deeper values are shown as a piece of their JSON. */
const MAX_DEPTH = 24

/** A value of at most about `maxBytes` of JSON; `note` says in each cut string where the whole is. */
export function fitValue(value: unknown, maxBytes: number, note: string, depth = 0): unknown {
  if (jsonBytes(value) <= maxBytes) return value
  if (typeof value === 'string') return headAndTail(value, note, maxBytes)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return headAndTail(JSON.stringify(value), note, maxBytes)
  if (Array.isArray(value)) return fitList(value, maxBytes, note, depth)
  if (isMedia(value)) return { type: 'text', text: `[${value.mediaType}, not shown: ${note}]` }
  return fitRecord(value, maxBytes, note, depth)
}

/** Half an image is no image: it gives way to a text part. */
function isMedia(value: object): value is { type: 'media'; mediaType: string; data: string } {
  return (
    'type' in value &&
    value.type === 'media' &&
    'data' in value &&
    typeof value.data === 'string' &&
    'mediaType' in value &&
    typeof value.mediaType === 'string'
  )
}

/** Items from both ends, as many as fit; one that is large by itself is cut to a share. */
function fitList(items: readonly unknown[], maxBytes: number, note: string, depth: number): unknown[] {
  const share = Math.max(MIN_PART_BYTES, Math.floor(maxBytes / Math.min(items.length, 4)) - 8)
  const head: unknown[] = []
  const tail: unknown[] = []
  let used = 2
  for (let taken = 0; taken < items.length; taken++) {
    const fromHead = taken % 2 === 0
    const index = fromHead ? head.length : items.length - 1 - tail.length
    const part = fitValue(items[index], share, note, depth + 1)
    const bytes = jsonBytes(part) + 1
    if (used + bytes > maxBytes) break
    used += bytes
    if (fromHead) head.push(part)
    else tail.push(part)
  }
  tail.reverse()
  return [...head, ...tail]
}

function fitRecord(record: object, maxBytes: number, note: string, depth: number): object {
  const entries = Object.entries(record)
  const sizes = entries.map(([key, value]) => ({ name: jsonBytes(key) + 2, value: jsonBytes(value) }))
  const share = fairShare(
    sizes.map((size) => size.value),
    maxBytes - 2 - sizes.reduce((sum, size) => sum + size.name, 0)
  )
  const kept: [string, unknown][] = []
  let used = 2
  for (const [index, [key, value]] of entries.entries()) {
    const part = fitValue(value, Math.max(share, MIN_PART_BYTES), note, depth + 1)
    const bytes = (sizes[index]?.name ?? 0) + jsonBytes(part)
    // Fields that no longer fit are left out; scalars behind a long list still get their turn.
    if (used + bytes > maxBytes) continue
    used += bytes
    kept.push([key, part])
  }
  return Object.fromEntries(kept)
}

/** The level at which sizes cut to it sum up to `room`: what is smaller stays whole. */
function fairShare(sizes: readonly number[], room: number): number {
  let left = Math.max(0, room)
  const rising = [...sizes]
  rising.sort((one, other) => one - other)
  for (const [index, size] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index))
    if (size > share) return share
    left -= size
  }
  return left
}
