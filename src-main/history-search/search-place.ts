// Owns how a place of a search is written into a cursor and read back: a place in a window and, where a call stopped
// inside a long stored text, the place in that.
import type { CursorPlace } from './cursor-codec'
import type { SearchPlace } from './search-rows'

export function searchPlaceOf({ window, byteOffset, isInLongLine, details }: CursorPlace): SearchPlace {
  const [source, byte, char, itemOffset] = details
  if (source === undefined || byte === undefined || char === undefined || itemOffset === undefined)
    return { window, byteOffset, isInLongLine, source: null }
  const known = itemOffset === 0 ? null : itemOffset - 1
  return { window, byteOffset, isInLongLine, source: { source, mark: { byte, char }, itemOffset: known } }
}

/** Whole numbers only: an offset that is not known is 0, any other one more than it is. */
export function detailsOf({ source }: SearchPlace): number[] {
  if (source === null) return []
  const { mark, itemOffset } = source
  return [source.source, mark.byte, mark.char, itemOffset === null ? 0 : itemOffset + 1]
}
