// For tests: a home folder of its own with configuration files in it, a log that can be read, a toy keychain.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '@common/clock'
import { fastTempFolder } from '../../testing/fast-temp-folder'
import { type AppPaths, appPathsOf } from '../../files/app-paths'
import type { Log } from '../../files/log'
import { systemClock } from '../../files/system-clock'
import type { SecretCipher } from '../secret-cipher'

export interface TempHome {
  readonly paths: AppPaths
  readonly log: Log
  readonly clock: Clock
  /** Everything that was logged, as one text. */
  logged(): string
  write(name: 'config.json' | 'providers.json' | 'secrets.enc', text: string | Uint8Array): void
  read(name: string): string
}

/** Gone when the test is over. */
export function tempHome(): TempHome {
  const paths = appPathsOf(mkdtempSync(join(fastTempFolder(), 'tidemark-home-')))
  onTestFinished(() => rmSync(paths.root, { recursive: true, force: true }))
  const lines: string[] = []
  const add = (event: string, fields: unknown): void => void lines.push(`${event} ${JSON.stringify(fields)}`)
  return {
    paths,
    clock: systemClock,
    log: { info: add, warn: add, error: add },
    logged: () => lines.join('\n'),
    write: (name, text) => writeFileSync(join(paths.root, name), text),
    read: (name) => readFileSync(join(paths.root, name), 'utf8')
  }
}

/** Turns each byte around: enough to see that the plain text is not in the file. */
export function toyCipher(available = true): SecretCipher {
  return {
    available: () => available,
    encrypt: (plainText) => Buffer.from(plainText, 'utf8').map((byte) => byte ^ 0x5a),
    decrypt: (cipherText) => Buffer.from(cipherText.map((byte) => byte ^ 0x5a)).toString('utf8')
  }
}
