// Owns a workspace's draft: what a person is typing and has not sent (T-2). Losing one keystroke is cheap,
// losing the text is not: every save replaces the file whole.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Result } from '@common/result'
import { writeFileAtomic } from '../files/atomic-write'
import type { FileError } from '../files/file-error'
import { isNotFound } from '../files/file-error'

const DraftFile = z.looseObject({ text: z.string() })

export class Drafts {
  readonly #path: string
  #tail: Promise<unknown> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
  }

  /** The saved draft; empty when there is none or it does not parse. */
  async read(): Promise<string> {
    await this.#tail
    try {
      const parsed = DraftFile.safeParse(JSON.parse(await readFile(this.#path, 'utf8')))
      return parsed.success ? parsed.data.text : ''
    } catch (cause) {
      if (isNotFound(cause) || cause instanceof SyntaxError) return ''
      throw cause
    }
  }

  save(text: string): Promise<Result<void, FileError>> {
    const work = this.#tail.then(() => writeFileAtomic(this.#path, `${JSON.stringify({ text })}\n`, { durable: false }))
    this.#tail = work
    return work
  }

  async settled(): Promise<void> {
    await this.#tail
  }
}
