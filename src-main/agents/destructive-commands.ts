// Owns the short list of what always asks, in every approval mode (A-3): commands that destroy data, rewrite
// published history, take over the machine, or reach into `.git/` and `.tidemark/`. Conservative, by the text
// alone: what hides a command from this list is itself on it. It is a seat belt, not a sandbox.
import { MAX_CHECKED_COMMAND_CHARS } from '@common/constants'
import { deviceOf, outsideRisk, protectedWord, riskOf } from './command-targets'
import { PROGRAM_CHECKS, type Invocation } from './destructive-programs'
import { parseShell, type ShellWord, type SimpleCommand } from './shell-lexer'

/** Programs that run their arguments as a command, with flags and settings of their own in between. */
const WRAPPERS = new Set(
  (
    'env nohup time nice ionice timeout command builtin exec stdbuf setsid xargs parallel busybox find watch script chroot ' +
    'unshare flock docker podman kubectl ssh wsl unbuffer caffeinate arch npx pnpx bunx coproc then do else if while until ! { elif'
  ).split(' ')
)

const SHELLS = new Set('sh bash zsh dash ksh ash fish su'.split(' '))
const INTERPRETERS = new Set('python python3 python2 node perl ruby php deno bun'.split(' '))
const FETCHERS = new Set('curl wget fetch aria2c http https invoke-webrequest iwr'.split(' '))
const READERS = new Set('grep rg ag ack git cat less head tail wc sort uniq ls sed awk jq echo printf cd'.split(' '))

/** Their patterns name folders to pass over; nothing is touched there. */
const PATTERN_FLAG =
  /^(?:--(?:exclude|exclude-dir|glob|iglob|ignore|ignore-path|ignore-pattern)(?:=|$)|-(?:path|ipath|name|iname|not|prune|g|I|wholename)$|!)/

const FORK_BOMB = /([\w:.]{1,40})\s{0,9}\(\)\s{0,9}\{[^}]{0,99}?\1\s{0,9}\|\s{0,9}\1/
/** Controls of writing direction and characters of no width; joiners inside emoji are not among them. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/
const DESTRUCTIVE_SQL =
  /\b(?:drop\s+(?:database|schema|table)|truncate\s+table|delete\s+from\s+[\w."`]+\s*(?:;|"|'|$))/i

/** How often a command may run a command that is itself text. */
const MAX_NESTING = 6

/** Each word behind a wrapper may begin the real command; trying them all is quadratic. */
const MAX_WRAPPED_WORDS = 300

/** Why a command always asks, in words, or null. `projectRoot` lets paths inside it count as such. */
export function destructiveReason(command: string, projectRoot = '/nonexistent', nesting = 0): string | null {
  if (command.length > MAX_CHECKED_COMMAND_CHARS) return 'it is too long to be checked'
  if (nesting > MAX_NESTING) return 'it nests commands too deeply to be checked'
  if (INVISIBLE.test(command)) return 'it holds invisible characters, so that it is not what it looks like'
  if (FORK_BOMB.test(command)) return 'it starts copies of itself without end'
  const { commands, problem } = parseShell(command)
  if (problem !== null) return `it cannot be read for a check: ${problem}`
  const calls = commands.map(invocationOf)
  if (DESTRUCTIVE_SQL.test(command) && !calls.every(({ program }) => READERS.has(program)))
    return 'it deletes from a database'
  const fetches = calls.some(({ program }) => FETCHERS.has(program))
  let leftProject = false
  for (const [index, call] of calls.entries()) {
    const simple = commands[index]
    if (simple === undefined) continue
    const scene: Scene = { projectRoot, nesting, fetches, leftProject, isPiped: simple.isPiped, inputs: simple.inputs }
    const reason = redirectReason(simple, projectRoot) ?? reasonOf(call, scene)
    if (reason !== null) return reason
    if (/^(?:cd|pushd)$/.test(call.program)) leftProject ||= leaves(call.args, projectRoot)
  }
  return null
}

interface Scene {
  readonly projectRoot: string
  readonly nesting: number
  /** True when some command of the line downloads something. */
  readonly fetches: boolean
  /** True when an earlier `cd` went somewhere else. */
  readonly leftProject: boolean
  readonly isPiped: boolean
  readonly inputs: readonly string[]
}

function reasonOf(call: Invocation, scene: Scene): string | null {
  const { program, args, programWord } = call
  const touched = args.map((word, at) => touchesProtected(word, args[at - 1], scene.projectRoot)).find(Boolean)
  if (touched !== undefined && touched !== null) return `it names ${touched}/`
  if (programWord?.isDynamic === true) {
    if (/^(?:\$\([^]*\)|`[^]*`)$/.test(programWord.text)) return 'the program that it runs is computed'
    if (args.some((word) => /^-\w*[rR]\w*f|^-\w*f\w*[rR]/.test(word.text)))
      return 'a computed program gets the flags -rf'
  }
  const own = checkProgram(call, scene)
  if (own !== null || !WRAPPERS.has(program)) return own
  if (args.length > MAX_WRAPPED_WORDS) return 'it has too many words to be checked'
  for (let at = 0; at < args.length; at++) {
    const inner = invocationOf({ words: args.slice(at) })
    const isListed = (program === 'xargs' || program === 'parallel') && inner.program === 'rm'
    if (isListed) return 'it deletes whatever another command lists'
    const text = args[at]?.text ?? ''
    // `ssh host "…"`, `watch "…"`: an argument that is itself a line of commands.
    const nested = /\s/.test(text) ? destructiveReason(text, scene.projectRoot, scene.nesting + 1) : null
    const reason = checkProgram(inner, scene) ?? nested
    if (reason !== null) return reason
  }
  return null
}

function checkProgram(call: Invocation, scene: Scene): string | null {
  const { program, args } = call
  const check = PROGRAM_CHECKS.get(program) ?? (program.startsWith('mkfs') ? () => 'it formats a disk' : null)
  const reason = check?.(call, scene) ?? null
  if (reason !== null) return reason
  if (SHELLS.has(program)) return shellReason(args, scene)
  if (INTERPRETERS.has(program)) return interpreterReason(args, scene)
  if (program === 'eval' || program === 'source' || program === '.' || program === 'trap')
    return textReason(program, args, scene)
  return null
}

/** `bash -c "…"`, `bash <<EOF`, `… | bash`, `bash <(curl …)`. */
function shellReason(args: readonly ShellWord[], scene: Scene): string | null {
  for (const [at, word] of args.entries()) {
    if (word.hasSubstitution) return 'a shell runs text that another command prints'
    const isText = /^-\w*c$/.test(args[at - 1]?.text ?? '') || /^(?:--command)$/.test(args[at - 1]?.text ?? '')
    const reason = isText ? destructiveReason(word.text, scene.projectRoot, scene.nesting + 1) : null
    if (reason !== null) return reason
  }
  for (const input of scene.inputs) {
    const reason = destructiveReason(input, scene.projectRoot, scene.nesting + 1)
    if (reason !== null) return reason
  }
  const hasScript = args.some(({ text }) => !text.startsWith('-')) || args.some(({ text }) => /^-\w*c$/.test(text))
  return scene.isPiped && (!hasScript || args.some(({ text }) => /^-\w*s$/.test(text)))
    ? 'a shell runs whatever is piped into it'
    : null
}

function interpreterReason(args: readonly ShellWord[], scene: Scene): string | null {
  const hasOperand = args.some(
    ({ text }) => text !== '-' && (!text.startsWith('-') || /^-(?:c|e|m|p|-eval)/.test(text))
  )
  if (scene.isPiped && scene.fetches && !hasOperand) return 'it runs a program that it downloads'
  for (const text of [...args.map((word) => word.text), ...scene.inputs]) {
    const gone =
      /(?:rmtree|rmSync|rmdirSync|rm_rf|removeSync|remove_entry|rimraf|\brm)\s*\(\s*['"`](\/|~|\.\.|\.?['"`])/.exec(
        text
      )
    if (gone !== null) return 'its code deletes outside the project or all of it'
    for (const [, , inner] of text.matchAll(
      /(?:system|exec|execSync|popen|run|call|check_\w+|spawn\w*)\s*\(\s*(['"`])(.*?)\1/g
    )) {
      const reason = destructiveReason(inner ?? '', scene.projectRoot, scene.nesting + 1)
      if (reason !== null) return reason
    }
  }
  return scene.fetches && args.some((word) => word.hasSubstitution) ? 'it runs code that it downloads' : null
}

function textReason(program: string, args: readonly ShellWord[], scene: Scene): string | null {
  if (args.some((word) => word.hasSubstitution)) return 'it evaluates text that another command prints'
  if (program === 'eval' && args.some((word) => word.isDynamic)) return 'it evaluates computed text'
  if (program !== 'eval' && program !== 'trap') return null
  return destructiveReason(args.map((word) => word.text).join(' '), scene.projectRoot, scene.nesting + 1)
}

function redirectReason({ redirects }: SimpleCommand, projectRoot: string): string | null {
  for (const { operator, target } of redirects) {
    const named = protectedWord(target.text, projectRoot)
    if (named !== null) return `it names ${named}/`
    if (operator === '<' || operator === '<&' || operator === '<>') continue
    const device = deviceOf(target.text)
    if (device !== null) return `it writes to the device ${device}`
    const outside = outsideRisk(target.text, projectRoot)
    if (outside !== null) return `it writes to ${outside}`
  }
  return null
}

function touchesProtected(word: ShellWord, before: ShellWord | undefined, projectRoot: string): string | null {
  if (PATTERN_FLAG.test(word.text) || PATTERN_FLAG.test(before?.text ?? '')) return null
  const value = word.text.startsWith('-') ? (word.text.split('=')[1] ?? '') : word.text
  // A sentence that mentions a folder, a commit message say, is no path.
  return /^\S*$/.test(value.trim()) || !/\s/.test(value.split('/')[0] ?? '') ? protectedWord(value, projectRoot) : null
}

function leaves(args: readonly ShellWord[], projectRoot: string): boolean {
  const target = args.find((word) => word.text === '-' || !word.text.startsWith('-'))
  if (target === undefined || target.text === '-') return true
  return target.isDynamic || (riskOf(target, projectRoot) !== null && outsideRisk(target.text, projectRoot) !== null)
}

/** The program behind assignments, without its folder, its letter case and `.exe`. */
function invocationOf({ words }: Pick<SimpleCommand, 'words'>): Invocation {
  const first = words.findIndex(({ text }) => !/^[A-Za-z_]\w*\+?=/.test(text))
  const programWord = first === -1 ? undefined : words[first]
  const name = (programWord?.text ?? '').split(/[\\/]/).at(-1) ?? ''
  return {
    program: name.toLowerCase().replace(/\.exe$/, ''),
    programWord,
    args: first === -1 ? [] : words.slice(first + 1)
  }
}
