// Owns secrets.enc: keys that only the desktop app can open, as base64 of what the keychain encrypted.
// A file that cannot be read is never written over; a key that cannot be opened is told in words.
import type { Clock } from '@common/clock'
import { type Result, err, ok } from '@common/result'
import { z } from 'zod'
import type { Log } from '../files/log'
import { ConfigFile, type ConfigWriteError } from './config-file'
import type { ConfigProblem } from './config-text'
import type { SecretCipher } from './secret-cipher'

const SecretsFile = z.looseObject({ secrets: z.record(z.string(), z.string()).default({}) })
type SecretsFile = z.infer<typeof SecretsFile>

export interface SecretError {
  /** `no-cipher`: there is no keychain here; `missing`: no such secret; `unreadable`: the keychain refused. */
  readonly kind: 'no-cipher' | 'missing' | 'unreadable'
  readonly message: string
}

export class SecretStore {
  readonly #file: ConfigFile<SecretsFile>
  readonly #cipher: SecretCipher | null

  /** `path` is AppPaths.secrets; the command line passes no cipher. */
  constructor(path: string, cipher: SecretCipher | null, seams: { log: Log; clock: Clock }) {
    this.#file = new ConfigFile<SecretsFile>(path, SecretsFile, seams)
    this.#cipher = cipher
  }

  /** Can a new secret be kept here? */
  canKeep(): boolean {
    return this.#cipher?.available() ?? false
  }

  problems(): readonly ConfigProblem[] {
    return this.#file.problems()
  }

  has(reference: string): boolean {
    return Object.hasOwn(this.#file.value().secrets, reference)
  }

  refresh(): void {
    this.#file.refresh()
  }

  open(reference: string): Result<string, SecretError> {
    const cipherText = this.has(reference) ? this.#file.value().secrets[reference] : undefined
    if (this.#cipher === null || !this.#cipher.available()) {
      const message = 'Keys in the keychain belong to the desktop app; use apiKey or apiKeyEnv in providers.json.'
      return err({ kind: 'no-cipher', message })
    }
    if (cipherText === undefined) {
      return err({
        kind: 'missing',
        message: 'The key is not in the keychain any more; enter it again in the settings.'
      })
    }
    try {
      return ok(this.#cipher.decrypt(Buffer.from(cipherText, 'base64')))
    } catch {
      // The keychain's own error may quote what it was given, so it is not passed on.
      const message =
        'The keychain cannot open the key (another user or another machine?); enter it again in the settings.'
      return err({ kind: 'unreadable', message })
    }
  }

  async keep(reference: string, plainText: string): Promise<Result<void, ConfigWriteError>> {
    if (this.#cipher === null || !this.#cipher.available()) {
      return err({ kind: 'invalid', message: 'There is no keychain here to keep the key in.' })
    }
    let cipherText: string
    try {
      cipherText = Buffer.from(this.#cipher.encrypt(plainText)).toString('base64')
    } catch {
      // As above: never the keychain's own words.
      return err({ kind: 'io', message: 'The keychain refused to keep the key. Unlock it and try again.' })
    }
    const saved = await this.#file.edit(() => ok([{ path: ['secrets', reference], value: cipherText }]))
    return saved.ok ? ok(undefined) : saved
  }

  async forget(reference: string): Promise<Result<void, ConfigWriteError>> {
    const saved = await this.#file.edit(() => ok([{ path: ['secrets', reference], value: undefined }]))
    return saved.ok ? ok(undefined) : saved
  }
}
