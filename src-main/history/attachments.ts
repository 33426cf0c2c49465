// Owns `attachments/`: images, documents and long pasted texts, named by the SHA-256 of their bytes and never
// changed. The media type lives in the row's file part, so a file here is nothing but the bytes.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileErrorOf } from '../files/file-error'
import { replaceFile } from '../files/atomic-write'
import { nodeFileSystem } from '../files/file-system'
import { makePrivateFolder } from '../files/make-private-folder'

export interface AttachmentFiles {
  /** Keeps the bytes, on disk when answered. Rejects with the system's error. */
  put(bytes: Uint8Array, mediaType: string): Promise<{ sha256: string }>
  /** The bytes that a part's `attachment:<sha256>` names; null when they are not there, not readable or not what they were. */
  read(part: { readonly url: string }): Promise<Uint8Array | null>
}

/** The attachments in this folder; it is made when it is first needed. */
export function openAttachments(folder: string): AttachmentFiles {
  return {
    async put(bytes, _mediaType) {
      const sha256 = hashOf(bytes)
      const path = join(folder, sha256)
      makePrivateFolder(nodeFileSystem, folder)
      if (nodeFileSystem.stat(path)?.size !== bytes.length) await replaceFile(path, bytes)
      return { sha256 }
    },
    async read({ url }) {
      const sha256 = attachmentHashOf(url)
      if (sha256 === null) return null
      try {
        const bytes = await readFile(join(folder, sha256))
        // Damaged bytes stay on disk; a picture that is not the one that was sent must not be shown for it.
        return hashOf(bytes) === sha256 ? bytes : null
      } catch (cause) {
        fileErrorOf(cause, 'read the attachment', join(folder, sha256))
        return null
      }
    }
  }
}

/** The URL that a file part carries. */
export function attachmentUrl(sha256: string): string {
  return `attachment:${sha256}`
}

/** The hash in an attachment URL, or null when it has another form; safe as a file name. */
export function attachmentHashOf(url: string): string | null {
  return /^attachment:([0-9a-f]{64})$/.exec(url)?.[1] ?? null
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
