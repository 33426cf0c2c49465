// Owns what `doctor` finds wrong in config.json and providers.json. Reads, and does not even close a file to others.
// No sentence quotes a value: it may be a key.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { z } from 'zod'
import { ProvidersFile } from '@common/settings/provider-schema'
import { Settings } from '@common/settings/settings-schema'
import { err, ok } from '@common/result'
import type { AppPaths } from '../files/app-paths'
import { writeFileAtomic } from '../files/atomic-write'
import { isNotFound } from '../files/file-error'
import { keepAside } from '../files/keep-aside'
import { parseConfigText, placeAt } from './config-text'
import { salvage } from './salvage'

export interface ConfigFinding {
  readonly file: string
  readonly line: number
  readonly problem: string
  readonly kept: string
  /** Keeps a copy and begins the file anew; null where the rest of the file is used as it is. */
  readonly repair: { readonly key: string; run(): ReturnType<typeof beginAnew> } | null
}

/** Throws the system's error. */
export async function checkConfigFiles(paths: Pick<AppPaths, 'config' | 'providers'>): Promise<ConfigFinding[]> {
  return [...(await checkOne(paths.config, Settings)), ...(await checkOne(paths.providers, ProvidersFile))]
}

async function checkOne<T>(path: string, schema: z.ZodType<T>): Promise<ConfigFinding[]> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    if (isNotFound(cause)) return []
    throw cause
  }
  const text = bytes.toString('utf8')
  const parsed = parseConfigText(text)
  if (!parsed.ok) {
    return [
      {
        file: path,
        line: parsed.place.line,
        problem: `${basename(path)} is broken (${parsed.why}); defaults are used until it is repaired.`,
        kept: 'The file stays as it is.',
        repair: { key: path, run: () => beginAnew(path, bytes) }
      }
    ]
  }
  return salvage(parsed.root, schema).problems.map((problem) => ({
    file: path,
    line: placeAt(text, problem.offset).line,
    problem: `"${problem.path}" of ${basename(path)} is passed over (${problem.why}); the rest is used.`,
    kept: 'The value stays as it is; change it by hand.',
    repair: null
  }))
}

async function beginAnew(path: string, bytes: Buffer) {
  const copied = await keepAside(path, bytes)
  if (!copied.ok) return err(copied.error.message)
  const written = await writeFileAtomic(path, '{}\n')
  return written.ok ? ok(copied.value) : err(written.error.message)
}
