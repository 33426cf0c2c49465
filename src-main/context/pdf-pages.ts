// Owns the number of pages that a PDF is charged for. Page objects are looked for by their type, in the file
// and in its compressed object streams; a file that shows none is charged by size. Pure.
import { inflateSync } from 'node:zlib'
import { PDF_MAX_PAGES } from '@common/constants'

/** Object streams list objects, not pictures: a few hundred KiB. Beyond this it is no honest one. */
const MAX_OBJECT_STREAM_BYTES = 4 * 1024 * 1024
const MAX_OBJECT_STREAMS = 500
/** Where no page is found (encrypted, damaged): a real page is hardly ever smaller. */
const MIN_PAGE_BYTES = 1_024

const pagesOf = new WeakMap<Uint8Array, number>()

/** Pages of a PDF, 1 to PDF_MAX_PAGES; the most where the bytes are elsewhere. Strings are base64. */
export function pdfPages(data: Uint8Array | string | URL): number {
  if (data instanceof URL) return PDF_MAX_PAGES
  if (typeof data === 'string') return countPages(Buffer.from(data, 'base64'))
  const known = pagesOf.get(data)
  if (known !== undefined) return known
  const pages = countPages(Buffer.from(data.buffer, data.byteOffset, data.byteLength))
  pagesOf.set(data, pages)
  return pages
}

function countPages(bytes: Buffer): number {
  const pages = plainPages(bytes) + compressedPages(bytes)
  const found = pages > 0 ? pages : Math.ceil(bytes.length / MIN_PAGE_BYTES)
  return Math.max(1, Math.min(PDF_MAX_PAGES, found))
}

/** Occurrences of `/Type /Page` with any white space between, and not `/Pages` or the like. */
function plainPages(bytes: Buffer): number {
  let pages = 0
  for (let at = bytes.indexOf('/Page'); at >= 0 && pages < PDF_MAX_PAGES; at = bytes.indexOf('/Page', at + 5)) {
    const next = bytes.toString('latin1', at + 5, at + 6)
    const before = bytes.toString('latin1', Math.max(0, at - 16), at)
    if (!/[A-Za-z0-9]/.test(next) && /\/Type\s*$/.test(before)) pages++
  }
  return pages
}

function compressedPages(bytes: Buffer): number {
  let pages = 0
  let streams = 0
  for (let at = bytes.indexOf('/ObjStm'); at >= 0 && pages < PDF_MAX_PAGES; at = bytes.indexOf('/ObjStm', at + 7)) {
    if (++streams > MAX_OBJECT_STREAMS) return PDF_MAX_PAGES
    const keyword = bytes.indexOf('stream', at)
    const end = bytes.indexOf('endstream', keyword)
    if (keyword < 0 || end < 0) break
    pages += plainPages(inflated(bytes.subarray(keyword + 'stream'.length, end)))
  }
  return pages
}

/** The stream's content; empty for one that is not plain deflate (encrypted, damaged). */
function inflated(stream: Buffer): Buffer {
  const start = stream[0] === 0x0d && stream[1] === 0x0a ? 2 : 1
  try {
    return inflateSync(stream.subarray(start), { maxOutputLength: MAX_OBJECT_STREAM_BYTES })
  } catch (error) {
    // What cannot be read shows no pages, and a file without any is charged by its size.
    if (error instanceof Error) return Buffer.alloc(0)
    throw error
  }
}
