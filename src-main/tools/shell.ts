// Owns which shell runs a command on this machine, and the variables that keep programs from waiting for a person.
import { existsSync } from 'node:fs'

export interface ShellLine {
  readonly file: string
  readonly args: readonly string[]
}

const POSIX_SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/bin/sh']
const WINDOWS_SHELLS = ['C:\\Program Files\\Git\\bin\\bash.exe', 'C:\\Program Files (x86)\\Git\\bin\\bash.exe']

/** Pagers, editors and prompts would wait for a terminal that is not there. */
export const NON_INTERACTIVE: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GCM_INTERACTIVE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
  PYTHONUNBUFFERED: '1',
  NO_COLOR: '1',
  TERM: 'dumb'
}

/** How to run a command line. Both streams go to one pipe where the system can, so that their order is true. */
export function shellLineFor(command: string, platform: NodeJS.Platform = process.platform): ShellLine {
  if (platform === 'win32') return windowsLine(command)
  const shell = POSIX_SHELLS.find((candidate) => existsSync(candidate)) ?? '/bin/sh'
  // The outer shell only joins the streams and becomes the inner one; the command is an argument, never spliced.
  return { file: '/bin/sh', args: ['-c', 'exec "$0" -c "$1" 2>&1', shell, command] }
}

function windowsLine(command: string): ShellLine {
  const bash = WINDOWS_SHELLS.find((candidate) => existsSync(candidate))
  if (bash !== undefined) return { file: bash, args: ['-c', command] }
  return { file: 'powershell.exe', args: ['-NoProfile', '-NonInteractive', '-Command', command] }
}
