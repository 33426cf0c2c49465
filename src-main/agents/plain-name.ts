// Owns names that a person types and tells apart: of agents and of skills. Pure.

const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u

/** True for letters, digits, dots and dashes, at most 64. */
export function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name)
}

/** Equal for names that a person would take for the same: letter case and look-alike forms count not. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\s\p{Cf}_-]+/gu, '')
    .toLowerCase()
}
