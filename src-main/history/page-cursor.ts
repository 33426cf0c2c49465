// Owns the form of a page cursor: a place between two lines of a window file, bound to that very file.
import type { FileStamp } from '../files/file-system'

/** Where a page begins; opaque, safe to hand to the renderer and back, of no use after a rewrite of its file. */
export type PageCursor = string

export interface PagePlace {
  readonly window: number
  /** Lines that end at or before this offset are older, those that begin at or after it newer. */
  readonly byteOffset: number
  readonly inode: bigint
}

export function pageCursorOf(window: number, byteOffset: number, stamp: FileStamp): PageCursor {
  return `p1.${window}.${byteOffset}.${stamp.inode}`
}

/** The place that a cursor names, or null when it has another form. */
export function placeOfPageCursor(cursor: PageCursor): PagePlace | null {
  const match = /^p1\.(\d{1,15})\.(\d{1,15})\.(\d{1,20})$/.exec(cursor)
  const [, window, byteOffset, inode] = match ?? []
  if (window === undefined || byteOffset === undefined || inode === undefined) return null
  return { window: Number(window), byteOffset: Number(byteOffset), inode: BigInt(inode) }
}
