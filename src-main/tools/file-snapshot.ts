// Owns the snapshot of a file that a person mentioned: a text whole or its head and tail, or the bytes of a picture or
// document. Under the same guard as file_read; what it does not cover is no snapshot.
import { MAX_ATTACHMENT_BYTES, SEEN_FILE_MAX_BYTES } from '@common/constants'
import { systemCodeOf } from '../files/file-error'
import { ContentReader, contentOf } from './file-content'
import { binaryKindOf, mediaTypeOf } from './file-kind'
import { HeadAndTail, type TextPieces } from './head-and-tail'
import { openGuarded, type OpenFile } from './open-guarded'
import { guardPath, type GuardedPath } from './path-guard'
import type { SeenFiles } from './seen-files'
import { sightOfRead, type Sighting } from './sighting'

export type FileSnapshot =
  | { readonly kind: 'text'; readonly sighting: Sighting; readonly text: TextPieces }
  | { readonly kind: 'media'; readonly sighting: Sighting; readonly mediaType: string; readonly bytes: Buffer }
  /** A text or a picture that is too large to be given. */
  | { readonly kind: 'too-large'; readonly path: string; readonly bytes: number }

export interface SnapshotRequest {
  readonly projectRoot: string
  readonly seenFiles: SeenFiles
  /** Bytes of a text; a longer one gives its head and tail. */
  readonly maxBytes: number
}

/** Null for what is no readable text, picture or PDF inside the project. */
export async function snapshotFile(input: string, request: SnapshotRequest): Promise<FileSnapshot | null> {
  const guarded = await guardPath(request.projectRoot, input)
  if (!guarded.ok || guarded.value.place !== 'inside') return null
  const opened = await openGuarded(guarded.value)
  if (!opened.ok) return null
  try {
    return await readSnapshot(opened.value, guarded.value, request)
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return null
  } finally {
    await opened.value.handle.close()
  }
}

async function readSnapshot(
  { handle, stats }: OpenFile,
  guarded: GuardedPath,
  { maxBytes, seenFiles }: SnapshotRequest
): Promise<FileSnapshot | null> {
  const start = Buffer.alloc(8_192)
  const { bytesRead } = await handle.read(start, 0, start.length, 0)
  const mediaType = mediaTypeOf(start.subarray(0, bytesRead))
  if (mediaType === null && binaryKindOf(start.subarray(0, bytesRead)) !== null) return null
  if (stats.size > (mediaType === null ? SEEN_FILE_MAX_BYTES : MAX_ATTACHMENT_BYTES))
    return { kind: 'too-large', path: guarded.relative, bytes: stats.size }
  if (mediaType !== null) {
    const bytes = await handle.readFile()
    const content = { content: contentOf(bytes), bytes: null }
    return { kind: 'media', sighting: sightOfRead(guarded, stats, content, seenFiles), mediaType, bytes }
  }
  const pieces = new HeadAndTail(maxBytes)
  const content = await new ContentReader(stats, (chunk) => pieces.push(chunk)).finish(handle)
  const text = pieces.finish()
  const sighting = sightOfRead(guarded, stats, content, seenFiles)
  return { kind: 'text', sighting: text.tail === null ? sighting : { ...sighting, isPart: true }, text }
}
