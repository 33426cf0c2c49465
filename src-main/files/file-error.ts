// Owns the expected failures of the file system as values, with a sentence a person can act on.
// A code that is not known here is `io`; a bug (a bad argument, say) is thrown on, never wrapped.

export type FileErrorKind = 'disk_full' | 'read_only' | 'permission' | 'not_found' | 'too_many_files' | 'io'

export interface FileError {
  readonly kind: FileErrorKind
  /** What happened, to what, what to do: one or two sentences for a person. */
  readonly message: string
  /** The file or folder that it happened to. */
  readonly path: string
  /** The system's own code (`ENOSPC`), for logs. */
  readonly code: string
}

const KINDS: Readonly<Record<string, FileErrorKind>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EROFS: 'read_only',
  EACCES: 'permission',
  EPERM: 'permission',
  ENOENT: 'not_found',
  ENOTDIR: 'not_found',
  EMFILE: 'too_many_files',
  ENFILE: 'too_many_files'
}

const ADVICE: Readonly<Record<FileErrorKind, string>> = {
  disk_full: 'the disk is full. Free some space and try again.',
  read_only: 'the disk is mounted read-only. Make it writable and try again.',
  permission: 'permission was denied. Give your user read and write access to it and try again.',
  not_found: 'it is not there. Check that the folder was not moved or deleted.',
  too_many_files: 'too many files are open. Close some programs and try again.',
  io: 'the disk reported an error. Check the disk, then try again.'
}

/**
 * Reads a thrown system error as a value. `action` is a verb phrase ("write the history").
 * Anything without a system code is a bug and is thrown again.
 */
export function fileErrorOf(cause: unknown, action: string, path: string): FileError {
  const code = systemCodeOf(cause)
  if (code === null) throw cause
  const kind = KINDS[code] ?? 'io'
  return { kind, message: `Could not ${action} (${path}): ${ADVICE[kind]}`, path, code }
}

/** The system's code of a thrown value, or null when it is no system error. */
export function systemCodeOf(cause: unknown): string | null {
  if (!(cause instanceof Error) || !('code' in cause)) return null
  const { code } = cause
  if (typeof code !== 'string') return null
  return 'syscall' in cause || 'errno' in cause ? code : null
}

/** True when a thrown value says that the file or folder does not exist. */
export function isNotFound(cause: unknown): boolean {
  return systemCodeOf(cause) === 'ENOENT'
}
