// Owns a workspace's draft: what a person is typing and has not sent (T-2). Losing one keystroke is cheap,
// losing the text is not: every save replaces the file whole.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { AttachmentReference } from '@common/contract/views'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { writeFileAtomic } from '../files/atomic-write'
import { fileErrorOf, isNotFound } from '../files/file-error'
import type { FileError } from '../files/file-error'
import { keepAside } from '../files/keep-aside'
import { createMutex } from '../files/mutex'

const DraftFile = z.looseObject({
  text: z.string(),
  attachments: z.array(AttachmentReference).default([]).catch([])
})

export interface Draft {
  readonly text: string
  /** Files that were added and not sent yet. */
  readonly attachments: AttachmentReference[]
}

export class Drafts {
  readonly #path: string
  readonly #mutex = createMutex()

  constructor(path: string) {
    this.#path = path
  }

  /** The saved draft; empty when there is none or it cannot be read. */
  read(): Promise<Draft> {
    return this.#mutex.run(async () => {
      try {
        const { text, attachments } = (await readDraft(this.#path)).draft
        return { text, attachments }
      } catch (cause) {
        fileErrorOf(cause, 'read the draft', this.#path)
        return { text: '', attachments: [] }
      }
    })
  }

  /** Replaces the draft, its files only where some are named; a file that does not parse is first kept aside. */
  save(text: string, attachments?: readonly AttachmentReference[]): Promise<Result<void, FileError>> {
    return this.#mutex.run(async () => {
      try {
        const { draft, damaged } = await readDraft(this.#path)
        const kept = damaged === null ? ok('') : await keepAside(this.#path, damaged)
        if (!kept.ok) return kept
        const next = { ...draft, text, attachments: attachments ?? draft.attachments }
        return await writeFileAtomic(this.#path, `${JSON.stringify(next)}\n`, { durable: false })
      } catch (cause) {
        return err(fileErrorOf(cause, 'save the draft', this.#path))
      }
    })
  }

  async settled(): Promise<void> {
    await this.#mutex.run(async () => undefined)
  }
}

interface ReadDraft {
  /** Fields of another version among them: they stay. */
  readonly draft: Draft
  /** The bytes of a file that does not parse. */
  readonly damaged: Uint8Array | null
}

async function readDraft(path: string): Promise<ReadDraft> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    if (isNotFound(cause)) return { draft: { text: '', attachments: [] }, damaged: null }
    throw cause
  }
  const parsed = DraftFile.safeParse(parseJson(bytes.toString('utf8')))
  if (!parsed.success) return { draft: { text: '', attachments: [] }, damaged: bytes.length === 0 ? null : bytes }
  return { draft: parsed.data, damaged: null }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
