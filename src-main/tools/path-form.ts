// Owns which forms of a path are refused before any file system sees them. Pure; the platform is a parameter.

/** Longest path that Linux takes; other systems take less and say so themselves. */
const MAX_PATH_CHARS = 4_096

/** Names that Windows opens as devices in every folder, with any extension. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[.: ].*)?$/i

/** Why a path cannot be used at all, in words for the model, or null. */
export function pathFormProblem(input: string, platform: NodeJS.Platform): string | null {
  if (input.trim() === '') return 'The path is empty.'
  if (input.includes('\0')) return 'The path holds a NUL byte.'
  if (input.length > MAX_PATH_CHARS) return 'The path is too long.'
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(input)) return `${input}: give a path, not a URL.`
  return platform === 'win32' ? windowsProblem(input) : posixProblem(input)
}

function posixProblem(input: string): string | null {
  if (/^[a-z]:[\\/]/i.test(input) || input.startsWith('\\\\'))
    return `${input}: a Windows path; on this machine paths use forward slashes.`
  return null
}

function windowsProblem(input: string): string | null {
  if (/^[\\/]{2}[?.][\\/]/.test(input)) return `${input}: device paths are not allowed.`
  if (/^[a-z]:(?![\\/])/i.test(input)) return `${input}: write the drive with a slash after the colon.`
  const parts = input.replace(/^[a-z]:/i, '').split(/[\\/]/)
  const bad = parts.find((part) => WINDOWS_DEVICE.test(part) || part.includes(':'))
  return bad === undefined ? null : `${input}: "${bad}" is a device or a stream, not a file.`
}
