// Owns a workspace's draft: what a person is typing and has not sent (T-2). Losing one keystroke is cheap,
// losing the text is not: every save replaces the file whole.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { writeFileAtomic } from '../files/atomic-write'
import { fileErrorOf, isNotFound } from '../files/file-error'
import type { FileError } from '../files/file-error'
import { keepAside } from '../files/keep-aside'
import { createMutex } from '../files/mutex'

const DraftFile = z.looseObject({ text: z.string() })

export class Drafts {
  readonly #path: string
  readonly #mutex = createMutex()

  constructor(path: string) {
    this.#path = path
  }

  /** The saved draft; empty when there is none or it cannot be read. */
  read(): Promise<string> {
    return this.#mutex.run(async () => {
      try {
        return (await readDraft(this.#path)).text
      } catch (cause) {
        fileErrorOf(cause, 'read the draft', this.#path)
        return ''
      }
    })
  }

  /** Replaces the draft; a file that does not parse is first kept aside. */
  save(text: string): Promise<Result<void, FileError>> {
    return this.#mutex.run(async () => {
      try {
        const { fields, damaged } = await readDraft(this.#path)
        const kept = damaged === null ? ok('') : await keepAside(this.#path, damaged)
        if (!kept.ok) return kept
        return await writeFileAtomic(this.#path, `${JSON.stringify({ ...fields, text })}\n`, { durable: false })
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
  readonly text: string
  /** Fields of another version: they stay. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The bytes of a file that does not parse. */
  readonly damaged: Uint8Array | null
}

async function readDraft(path: string): Promise<ReadDraft> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    if (isNotFound(cause)) return { text: '', fields: {}, damaged: null }
    throw cause
  }
  const parsed = DraftFile.safeParse(parseJson(bytes.toString('utf8')))
  if (!parsed.success) return { text: '', fields: {}, damaged: bytes.length === 0 ? null : bytes }
  return { text: parsed.data.text, fields: parsed.data, damaged: null }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
