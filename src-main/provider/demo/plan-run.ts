// Owns the plans that run commands: one that was named, or the project's own for tests, build and checks.
import { stripVTControlCharacters } from 'node:util'
import { type DemoPlan, type DemoResult, callOne, whyNot } from './demo-call'
import { fileOf, outputOf } from './tool-facts'
import { code, fence, joined, plural } from './wording'

export type Script = 'test' | 'build' | 'lint' | 'typecheck'

/** A command line may be long; in an answer its beginning will do. */
const MAX_COMMAND_CHARS = 160

export function* planRun(command: string): DemoPlan {
  const result = yield* callOne(
    { toolName: 'bash', input: { command } },
    { think: `A command is to be run: ${command}` }
  )
  return runText(command, result)
}

export function runText(command: string, result: DemoResult): string {
  const short = command.length > MAX_COMMAND_CHARS ? `${command.slice(0, MAX_COMMAND_CHARS)}…` : command
  const output = outputOf('bash', result)
  if (output === null) return `I did not get ${code(short)} to run: ${whyNot(result, 'bash')}.`
  if (output.background !== undefined)
    return `${code(short)} runs in the background as process ${output.background.pid}; its log is ${code(output.background.log)}.`
  const lines = output.output.replace(/\s+$/, '').split('\n')
  const verdict =
    output.timed_out === true
      ? 'ran into its time limit and was ended'
      : output.exit_code === null
        ? 'was ended by a signal'
        : `ended with exit code **${output.exit_code}**${output.exit_code === 0 ? '' : ', so it failed'}`
  if (output.output.trim() === '') return `${code(short)} ${verdict} and printed nothing.`
  const tail = lines.length > 24 ? lines.slice(-20) : lines
  const summary = summaryLine(lines)
  const text = tail
    .map((line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line))
    .join('\n')
    .slice(-2_400)
  const cut = tail.length < lines.length ? ` The last ${tail.length} of ${lines.length} lines:` : ''
  return `${code(short)} ${verdict}${summary === null ? '' : `: ${summary}`}.${cut}\n\n${fence(text)}`
}

/** What a test runner says at its end, or null. */
function summaryLine(lines: readonly string[]): string | null {
  const plain = lines.map((line) => stripVTControlCharacters(line).trim())
  const counted = (word: string): string | undefined =>
    plain.map((line) => new RegExp(`^(?:#|ℹ) ${word} (\\d+)$`).exec(line)?.[1]).findLast(Boolean)
  // Node's runner writes one count a line.
  const [passed, failed] = [counted('pass'), counted('fail')]
  if (passed !== undefined && failed !== undefined) return `${passed} passed, ${failed} failed`
  const found = plain.findLast((line) =>
    /\b\d+ (?:tests? )?(?:passed|failed|passing|failing)\b|\btest result: |^Tests:\s/.test(line)
  )
  return found === undefined || found.length > 160 ? null : found.replace(/[.=\s]+$/, '').replace(/^[=#\s]+/, '')
}

const PROJECT_FILES =
  '{package.json,pnpm-lock.yaml,yarn.lock,bun.lock,pyproject.toml,setup.py,pytest.ini,tox.ini,Cargo.toml,go.mod,Makefile,pom.xml,build.gradle}'

export function* planScript(script: Script): DemoPlan {
  const found = yield* callOne(
    { toolName: 'glob', input: { pattern: PROJECT_FILES } },
    {
      think: `To ${phraseOf(script)}, I must know which tools this project uses.`,
      say: `I see how this project runs its ${nounOf(script)}.`
    }
  )
  const listing = outputOf('glob', found)
  if (listing === null) return `I cannot find out how: ${whyNot(found, 'glob')}.`
  const names = new Set(listing.paths.map((path) => path.replace(/^\.\//, '')))
  let seen = ''
  if (names.has('package.json')) {
    const file = fileOf(
      yield* callOne(
        { toolName: 'file_read', input: { path: 'package.json' } },
        { think: 'package.json lists its scripts.' }
      )
    )
    const scripts = scriptsOf(file?.lines.join('\n') ?? '')
    const name = nameOfScript(script, scripts)
    if (name !== null) return yield* planRun(`${managerOf(names)} ${name === 'test' ? 'test' : `run ${name}`}`)
    seen =
      scripts.length === 0
        ? ' package.json has no scripts.'
        : ` package.json has the scripts ${joined(scripts.slice(0, 12).map(code))}.`
  }
  const command = commandFor(script, names)
  if (command !== null) return yield* planRun(command)
  return `I found no way to ${phraseOf(script)} here.${seen} Tell me the command, and I run it.`
}

function nounOf(script: Script): string {
  return { test: 'tests', build: 'build', lint: 'linter', typecheck: 'type check' }[script]
}

function phraseOf(script: Script): string {
  return { test: 'run the tests', build: 'build it', lint: 'lint it', typecheck: 'check its types' }[script]
}

function scriptsOf(text: string): string[] {
  const body = /"scripts"\s*:\s*\{([^}]*)\}/.exec(text)?.[1] ?? ''
  return [...body.matchAll(/"([^"]+)"\s*:\s*"/g)].map((match) => match[1] ?? '')
}

function nameOfScript(script: Script, scripts: readonly string[]): string | null {
  const likely = {
    test: ['test', 'test:unit', 'tests'],
    build: ['build', 'compile'],
    lint: ['lint', 'check'],
    typecheck: ['typecheck', 'type-check', 'tsc', 'types']
  }[script]
  return likely.find((name) => scripts.includes(name)) ?? null
}

function managerOf(names: ReadonlySet<string>): string {
  if (names.has('pnpm-lock.yaml')) return 'pnpm'
  if (names.has('yarn.lock')) return 'yarn'
  return names.has('bun.lock') ? 'bun' : 'npm'
}

function commandFor(script: Script, names: ReadonlySet<string>): string | null {
  const isPython = ['pyproject.toml', 'setup.py', 'pytest.ini', 'tox.ini'].some((name) => names.has(name))
  if (names.has('Cargo.toml'))
    return { test: 'cargo test', build: 'cargo build', lint: 'cargo clippy', typecheck: 'cargo check' }[script]
  if (names.has('go.mod'))
    return { test: 'go test ./...', build: 'go build ./...', lint: 'go vet ./...', typecheck: 'go build ./...' }[script]
  if (isPython && script === 'test') return 'python3 -m pytest -q'
  if (names.has('pom.xml')) return script === 'test' ? 'mvn -q test' : script === 'build' ? 'mvn -q package' : null
  if (names.has('build.gradle')) return script === 'lint' || script === 'typecheck' ? null : `gradle ${script}`
  if (names.has('Makefile')) return script === 'build' ? 'make' : `make ${script}`
  return null
}

export function* planFetch(url: string): DemoPlan {
  const result = yield* callOne({ toolName: 'web_fetch', input: { url } }, { think: `A page is wanted: ${url}` })
  if (result.kind !== 'done')
    return `I cannot fetch ${url}: ${whyNot(result, 'web_fetch')}. I have no network of my own.`
  const text = typeof result.value === 'string' ? result.value : (JSON.stringify(result.value) ?? '')
  return `${url} gave ${plural(text.length, 'character')}. It begins:\n\n${fence(text.slice(0, 1_200))}`
}
