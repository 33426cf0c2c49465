// Owns which paths a memory can have (`/memories/project/notes.md`) and what they mean. Pure; sees no disk.
// Invariant: what passes names one thing below its scope on every file system, and looks like what it is.
import { MAX_MEMORY_DEPTH, MAX_MEMORY_NAME_BYTES } from '@common/constants'
import { MEMORY_SCOPES, type MemoryScope } from '@common/memory/memory-schema'
import { err, ok, type Result } from '@common/result'

export const MEMORY_ROOT = '/memories'

export interface ScopedPath {
  readonly scope: MemoryScope
  /** Names below the scope's folder; none for the folder itself. */
  readonly names: readonly string[]
}

/** Names that Windows opens as devices in every folder, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i

/** Control and format characters, surrogates, private use, line separators, and what is drawn as nothing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** Separators and characters that a disk or a prompt reads as something else; `%2e` for who decodes. */
const SPECIAL = /[/\\<>:"|?*]|%[0-9a-f]{2}/i

/** The scope and names of a path; null for `/memories` itself. The error is one sentence for the model. */
export function parseMemoryPath(input: string): Result<ScopedPath | null, string> {
  const shown = JSON.stringify(input.slice(0, 200))
  const parts = input.normalize('NFC').split('/')
  if (parts.length > 2 && parts.at(-1) === '') parts.pop()
  const [before, root, scopeName, ...names] = parts
  if (before !== '' || root !== MEMORY_ROOT.slice(1))
    return err(`${shown} is no memory path: it begins with ${MEMORY_ROOT}/global, /project or /workspace.`)
  if (scopeName === undefined) return ok(null)
  const scope = MEMORY_SCOPES.find((known) => known === scopeName)
  if (scope === undefined)
    return err(
      `${shown} is in no scope: there are ${MEMORY_SCOPES.map((known) => `${MEMORY_ROOT}/${known}`).join(', ')}.`
    )
  if (names.length > MAX_MEMORY_DEPTH) return err(`${shown} is more than ${MAX_MEMORY_DEPTH} names deep.`)
  for (const name of names) {
    const problem = nameProblem(name)
    if (problem !== null) return err(`${shown} cannot be used: ${problem}.`)
  }
  return ok({ scope, names })
}

/** The path as agents and people write it. */
export function memoryPathOf(scope: MemoryScope, names: readonly string[]): string {
  return [MEMORY_ROOT, scope, ...names].join('/')
}

/** Why this cannot be the name of a memory or a folder of them, or null. */
export function nameProblem(name: string): string | null {
  // As the most forgiving reader takes it: a full-width stop is a stop, a division slash a slash.
  const form = name.normalize('NFKC')
  if (form === '') return 'a name in it is empty'
  if (form.startsWith('.')) return 'a name in it begins with a dot'
  if (UNSEEN.test(name)) return 'a name in it holds characters that cannot be seen'
  if (/[^\S ]/u.test(name) || /^ | $/.test(form))
    return 'a name in it holds white space other than single spaces inside'
  if (SPECIAL.test(form) || /[\u2044\u2215\u29f5\ufe68]/u.test(name))
    return 'a name in it holds / \\ < > : " | ? * or %'
  if (form.endsWith('.')) return 'a name in it ends with a dot'
  if (DEVICE.test(form)) return 'a name in it is a device on Windows'
  if (Buffer.byteLength(name) > MAX_MEMORY_NAME_BYTES)
    return `a name in it has more than ${MAX_MEMORY_NAME_BYTES} bytes`
  return null
}

/** Names that a person takes for the same: letter case and Unicode form do not count. */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
