// Owns, program by program, which of its calls are destructive. Pure; a check answers why, in words, or null.
import { deviceOf, outsideRisk, riskOf } from './command-targets'
import type { ShellWord } from './shell-lexer'

export interface Invocation {
  /** Lower case, without folder and `.exe`; empty for bare assignments. */
  readonly program: string
  readonly programWord: ShellWord | undefined
  readonly args: readonly ShellWord[]
}

interface Place {
  readonly projectRoot: string
  readonly leftProject: boolean
}

type Check = (call: Invocation, place: Place) => string | null

function always(reason: string): Check {
  return () => reason
}

/** True for a short flag, alone or in a cluster, or one of the long forms. */
function hasFlag(args: readonly ShellWord[], short: string, ...long: readonly string[]): boolean {
  return args.some(({ text }) => {
    if (text.startsWith('--')) return long.includes(text.split('=')[0] ?? '')
    return new RegExp(`^-[A-Za-z]*[${short}]`).test(text)
  })
}

function operandsOf(args: readonly ShellWord[]): ShellWord[] {
  const end = args.findIndex(({ text }) => text === '--')
  const before = (end === -1 ? args : args.slice(0, end)).filter(({ text }) => !/^-./.test(text))
  return end === -1 ? before : [...before, ...args.slice(end + 1)]
}

function words(args: readonly ShellWord[]): string {
  return args.map(({ text }) => text).join(' ')
}

/** Fires when the arguments, joined, match. */
function when(pattern: RegExp, reason: string): Check {
  return ({ args }) => (pattern.test(words(args)) ? reason : null)
}

const remove: Check = ({ args }, { projectRoot, leftProject }) => {
  const isRecursive = hasFlag(args, 'rR', '--recursive', '--no-preserve-root')
  for (const target of operandsOf(args)) {
    const risk = isRecursive ? riskOf(target, projectRoot) : outsideRisk(target.text, projectRoot)
    if (risk !== null) return `it deletes ${risk}`
  }
  return isRecursive && leftProject ? 'it deletes folders after changing to another folder' : null
}

const changeAll: Check = ({ args }, { projectRoot }) => {
  if (!hasFlag(args, 'R', '--recursive')) return null
  const risk = operandsOf(args)
    .map((target) => riskOf(target, projectRoot))
    .find((found) => found !== null)
  return risk === undefined ? null : `it changes the rights of ${risk ?? ''}`
}

const find: Check = ({ args }, { projectRoot, leftProject }) => {
  const first = args.findIndex(({ text }) => /^[-(!]/.test(text))
  const starts = first === -1 ? args : args.slice(0, first)
  const text = words(args)
  const deletes =
    /(?:^|\s)-delete\b/.test(text) || /-(?:exec|execdir|ok|okdir)\s+(?:\S*\/)?(?:rm|shred|unlink)\b/.test(text)
  if (!deletes) return null
  const isFiltered = /-(?:i?name|i?path|i?regex|i?wholename|[acm](?:time|min)|newer\w*|size|empty)\b/.test(text)
  const all = starts.length === 0 ? [{ text: '.', isDynamic: false, hasSubstitution: false }] : starts
  for (const start of all) {
    const risk = isFiltered ? outsideRisk(start.text, projectRoot) : riskOf(start, projectRoot)
    if (risk !== null) return `it deletes what it finds in ${risk}`
  }
  return leftProject ? 'it deletes what it finds after changing to another folder' : null
}

const copy: Check = ({ args }, { projectRoot }) => {
  const target =
    args.find(({ text }) => text.startsWith('--target-directory='))?.text.split('=')[1] ?? operandsOf(args).at(-1)?.text
  const risk = target === undefined ? null : outsideRisk(target, projectRoot)
  return risk === null ? null : `it writes to ${risk}`
}

const move: Check = (call, place) => {
  const risk = operandsOf(call.args)
    .map((word) => outsideRisk(word.text, place.projectRoot))
    .find((found) => found !== null)
  return risk === undefined ? null : `it moves ${risk ?? ''}`
}

const writeAll: Check = ({ args }, { projectRoot }) => {
  for (const { text } of operandsOf(args)) {
    if (deviceOf(text) !== null) return `it writes to the device ${text}`
    const risk = outsideRisk(text, projectRoot)
    if (risk !== null) return `it writes to ${risk}`
  }
  return null
}

const diskDump: Check = ({ args }, { projectRoot }) => {
  const target = args.find(({ text }) => text.startsWith('of='))?.text.slice(3)
  if (target === undefined) return null
  const risk = deviceOf(target) ?? outsideRisk(target, projectRoot)
  return risk === null ? null : `it writes over ${risk}`
}

const GIT_OPTIONS_WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path'])

const git: Check = ({ args }) => {
  let at = 0
  while (args[at]?.text.startsWith('-') === true) {
    if (
      args[at]?.text === '-c' &&
      /^(?:alias\.|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath))/i.test(args[at + 1]?.text ?? '')
    )
      return 'it lets git run another program'
    at += GIT_OPTIONS_WITH_VALUE.has(args[at]?.text ?? '') ? 2 : 1
  }
  const rest = args.slice(at + 1)
  const text = words(rest)
  switch (args[at]?.text) {
    case 'push': {
      const isForced = hasFlag(
        rest,
        'fd',
        '--force',
        '--force-with-lease',
        '--force-if-includes',
        '--mirror',
        '--delete',
        '--prune'
      )
      return isForced || /(?:^|\s)[+:]\S/.test(text) ? 'it overwrites or deletes published history' : null
    }
    case 'reset':
      return /--(?:hard|merge|keep)\b/.test(text) ? 'it throws away uncommitted changes' : null
    case 'clean':
      return hasFlag(rest, 'f', '--force') && !hasFlag(rest, 'n', '--dry-run') ? 'it deletes untracked files' : null
    case 'checkout':
    case 'switch':
      return hasFlag(rest, 'f', '--force', '--discard-changes') || /(?:^|\s)(?:\.|\*|:\/)$/.test(text)
        ? 'it throws away uncommitted changes'
        : null
    case 'restore':
      return /(?:^|\s)(?:\.|\*|:\/)(?:\s|$)/.test(text) && !/--staged\b/.test(text)
        ? 'it throws away uncommitted changes'
        : null
    case 'branch':
      return hasFlag(rest, 'D') || /--delete.*--force|--force.*--delete/.test(text)
        ? 'it deletes a branch that may not be merged'
        : null
    case 'stash':
      return /^(?:drop|clear)\b/.test(text) ? 'it deletes stashed changes' : null
    case 'reflog':
      return /^(?:expire|delete)\b/.test(text) ? 'it deletes the way back to old commits' : null
    case 'worktree':
      return /^remove\b.*(?:-f|--force)/.test(text) ? 'it deletes a worktree with its changes' : null
    case 'filter-branch':
    case 'filter-repo':
    case 'update-ref':
      return 'it rewrites history'
    case 'gc':
      return /--prune=(?:now|all)/.test(text) ? 'it deletes the way back to old commits' : null
    default:
      return null
  }
}

const REMOVE_WINDOWS = when(/(?:^|\s)(?:-r\w*|\/s|\/q)\b/i, 'it deletes whole folders')

/** By program; `mkfs.*` is matched by its beginning elsewhere. */
export const PROGRAM_CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...['sudo', 'doas', 'pkexec', 'runas', 'su'].map(
    (name) => [name, always('it asks for the rights of another user')] as const
  ),
  ...['shutdown', 'reboot', 'halt', 'poweroff', 'stop-computer', 'restart-computer'].map(
    (name) => [name, always('it stops the machine')] as const
  ),
  ...[
    'wipefs',
    'fdisk',
    'sfdisk',
    'gdisk',
    'sgdisk',
    'parted',
    'mke2fs',
    'blkdiscard',
    'shred',
    'diskpart',
    'mkswap',
    'format'
  ].map((name) => [name, always('it destroys what is on a disk')] as const),
  ...['dropdb', 'dropuser'].map((name) => [name, always('it deletes a database')] as const),
  ...['remove-item', 'ri', 'rd', 'rmdir', 'del', 'erase'].map((name) => [name, REMOVE_WINDOWS] as const),
  ...['chmod', 'chown', 'chgrp'].map((name) => [name, changeAll] as const),
  ...['cp', 'install', 'ln', 'rsync', 'scp'].map((name) => [name, copy] as const),
  ...['tee', 'truncate'].map((name) => [name, writeAll] as const),
  ...['npm', 'pnpm', 'yarn', 'bun', 'cargo', 'poetry', 'gem', 'twine'].map(
    (name) =>
      [
        name,
        when(/^(?:--\S+\s+)*(?:publish|unpublish|yank|push|upload)\b/, 'it publishes or withdraws a package')
      ] as const
  ),
  ['rm', remove],
  ['unlink', remove],
  ['mv', move],
  ['find', find],
  ['dd', diskDump],
  ['git', git],
  ['init', when(/^[06]$/, 'it stops the machine')],
  ['telinit', when(/^[06]$/, 'it stops the machine')],
  ['systemctl', when(/\b(?:poweroff|reboot|halt|kexec|suspend|hibernate)\b/, 'it stops the machine')],
  ['kill', when(/(?:^|\s)-1$/, 'it ends every process of the user')],
  ['crontab', when(/(?:^|\s)-\w*r/, 'it deletes scheduled jobs')],
  ['gh', when(/^(?:repo|release|gist|secret|variable)\s+delete\b/, 'it deletes something published')],
  [
    'docker',
    when(
      /\b(?:system|volume|image|container|builder)\s+prune\b|\bvolume\s+rm\b/,
      'it deletes containers, images or their data'
    )
  ],
  [
    'podman',
    when(/\b(?:system|volume|image|container)\s+prune\b|\bvolume\s+rm\b/, 'it deletes containers, images or their data')
  ],
  ['kubectl', when(/\b(?:delete|drain)\b/, 'it deletes resources of a cluster')],
  ['helm', when(/^(?:uninstall|delete)\b/, 'it deletes resources of a cluster')],
  ['terraform', when(/\b(?:destroy|-auto-approve)\b/, 'it destroys infrastructure')],
  ['aws', when(/\bs3\s+(?:rb|rm)\b|\b(?:delete|terminate)-\w+/, 'it deletes resources in the cloud')],
  ['gcloud', when(/\bdelete\b/, 'it deletes resources in the cloud')],
  ['az', when(/\bdelete\b/, 'it deletes resources in the cloud')],
  ['redis-cli', when(/\bflush(?:all|db)\b/i, 'it deletes from a database')],
  ['mysqladmin', when(/\bdrop\b/i, 'it deletes a database')],
  ['reg', when(/^delete\b/i, 'it deletes from the registry')]
])
