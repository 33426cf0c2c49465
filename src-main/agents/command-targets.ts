// Owns judging a path that a command line names: does deleting or overwriting it reach beyond some part of the
// project? Pure, by the text alone; what the shell would still expand counts as the worst.
import path from 'node:path'
import { compilePathGlob } from '@common/agents/path-glob'
import { protectedPartOf } from '@common/agents/protected-paths'
import type { ShellWord } from './shell-lexer'

/** Devices that take output without harm. */
const HARMLESS_DEVICES = /^\/dev\/(?:null|stdout|stderr|stdin|tty|zero|full|fd\/\d+)$/

const TEMPORARY = /^\/(?:tmp|var\/tmp|private\/tmp)\/[^/*?[{]/

/** What a path is, in words, when losing it would reach beyond a part of the project; else null. */
export function riskOf(word: ShellWord, projectRoot: string): string | null {
  if (word.isDynamic) return `\`${shorten(word.text)}\`, which the shell computes`
  return outsideRisk(word.text, projectRoot) ?? wholeProject(word.text, projectRoot)
}

/** What a path is when it lies outside the project by its text, or null. Temporary folders are not counted. */
export function outsideRisk(text: string, projectRoot: string): string | null {
  const target = text.trim()
  if (target.startsWith('~')) return `\`${shorten(target)}\` in the home folder`
  if (/^[a-z]:([\\/]|$)/i.test(target) || target.startsWith('\\\\')) return `\`${shorten(target)}\``
  const normal = path.posix.normalize(target)
  if (normal.startsWith('/')) {
    const isInside = normal === projectRoot || normal.startsWith(`${projectRoot}/`)
    return isInside || TEMPORARY.test(normal) || HARMLESS_DEVICES.test(normal) ? null : `\`${shorten(target)}\``
  }
  return normal === '..' || normal.startsWith('../') ? `\`${shorten(target)}\` above the project` : null
}

function wholeProject(text: string, projectRoot: string): string | null {
  const normal = path.posix.normalize(text)
  const relative =
    normal === projectRoot ? '.' : normal.startsWith(`${projectRoot}/`) ? normal.slice(projectRoot.length + 1) : normal
  return /^(?:\.\/?|[*?.]*\*[*?.]*\/?|\.\*|\.\[\^?.*)$/.test(relative)
    ? `\`${shorten(text)}\`, the whole project`
    : null
}

/** A device that a command would write to, or null. */
export function deviceOf(text: string): string | null {
  const normal = path.posix.normalize(text)
  return normal.startsWith('/dev/') && !HARMLESS_DEVICES.test(normal) ? normal : null
}

/** The protected folder that a word leads into, also through a glob, or null. */
export function protectedWord(text: string, projectRoot: string): string | null {
  const inside = text.startsWith(`${projectRoot}/`) ? text.slice(projectRoot.length + 1) : text
  const named = protectedPartOf(inside)
  if (named !== null) return named
  for (const segment of inside.split('/')) {
    if (!segment.startsWith('.') || !/[*?[{]/.test(segment)) continue
    const matches = compilePathGlob(segment)
    for (const name of ['.git', '.tidemark']) if (matches === null || matches(name)) return name
  }
  return null
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
