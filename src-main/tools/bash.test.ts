import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { MAX_TOOL_RESULT_BYTES } from '@common/constants'
import type { ToolOutput } from '@common/tools/tool-contracts'
import { createBash } from './bash'
import { childEnvironment } from './child-env'
import { jsonBytes } from './json-bytes'
import { createProcessKeeper } from './process-keeper'
import { tempProject } from './testing/temp-project'
import type { ToolOutcome, ToolRun } from './tool-types'

const project = tempProject()
const keeper = createProcessKeeper()
const bash = createBash(keeper)
afterAll(async () => {
  await keeper.close(100)
  project.remove()
})

type Outcome = ToolOutcome<ToolOutput<'bash'>>

function outcomeOf(command: string, overrides: Partial<ToolRun> = {}, timeout_secs = 20): Promise<Outcome> {
  return bash.execute({ command, timeout_secs }, project.run(overrides))
}

async function run(command: string, overrides: Partial<ToolRun> = {}, timeout_secs = 20): Promise<ToolOutput<'bash'>> {
  const outcome = await outcomeOf(command, overrides, timeout_secs)
  if (outcome.kind !== 'done') throw new Error(outcome.message)
  return outcome.output
}

function pidIn(file: string): number {
  return Number(readFileSync(path.join(project.root, file), 'utf8'))
}

/** A zombie counts as dead: nothing of it runs. */
function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'latin1'))
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2_000 && !condition(); tries++) await delay(10)
  expect(condition()).toBe(true)
}

test('O-1: runs in a real shell in the project, both streams in their order, with the exit code', async () => {
  expect(await run('pwd; for i in 1 2 3; do echo out$i; echo err$i >&2; done; exit 3')).toEqual({
    exit_code: 3,
    output: `${project.root}\nout1\nerr1\nout2\nerr2\nout3\nerr3\n`
  })
  expect(await run('[[ abc == a* ]] && echo bash')).toMatchObject({ exit_code: 0, output: 'bash\n' })
  expect((await run('kill -SEGV $$')).output).toContain('[ended by SIGSEGV]')
})

test('O-1: nothing waits for a person: no input, no terminal, no pager, no prompt', async () => {
  expect(await run('read line; echo "read: $line $?"; tty; echo "$PAGER $GIT_TERMINAL_PROMPT $TERM"')).toMatchObject({
    output: 'read:  1\nnot a tty\ncat 0 dumb\n'
  })
})

test('O-1: output streams live', async () => {
  const seen: string[] = []
  const running = run('echo first; while [ ! -e go ]; do sleep 0.02; done; echo second', {
    onOutput: (text) => seen.push(text)
  })
  await until(() => seen.join('') === 'first\n')
  mkdirSync(path.join(project.root, 'go'))
  await running
  rmdirSync(path.join(project.root, 'go'))
  expect(seen.join('')).toBe('first\nsecond\n')
})

test('O-1: escape codes, progress lines, binary bytes and parted characters become plain text', async () => {
  const { output } = await run(
    String.raw`printf '\033[31mred\033[0m \033]0;title\007x\n'; printf '10%%\r50%%\r100%%\n'; printf 'a\0b\377c\n'; printf 'crlf\r\n'; printf '\xf0\x9f'; sleep 0.1; printf '\x8c\x8a\n'; printf '\033['; sleep 0.1; printf '1mbold\n'`
  )
  expect(output).toBe('red x\n100%\na\u2400b\ufffdc\ncrlf\n🌊\nbold\n')
})

test('O-1: a long output keeps head and tail, and the whole log as a spill', async () => {
  const outcome = await outcomeOf('echo BEGIN; seq 1 20000; echo END')
  if (outcome.kind !== 'done') throw new Error(outcome.message)
  const { output } = outcome.output
  expect(output.startsWith('BEGIN\n1\n2\n') && output.endsWith('20000\nEND\n')).toBe(true)
  expect(output).toContain(`spill:${outcome.spill?.id}; read it with file_read`)
  expect(jsonBytes(outcome.output)).toBeLessThanOrEqual(MAX_TOOL_RESULT_BYTES)
  const whole = project.spill.textOf(outcome.spill?.id ?? '')
  expect(whole).toBe(`BEGIN\n${Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('')}END\n`)
})

test('O-1: a small output leaves no spill behind', async () => {
  const before = project.spill.count()
  await run('seq 1 1000')
  expect(project.spill.count()).toBe(before)
})

test('O-1: one endless line is bounded in memory and cut in the result', async () => {
  const before = process.memoryUsage().rss
  const outcome = await outcomeOf('head -c 12000000 /dev/zero | tr "\\0" "x"')
  if (outcome.kind !== 'done') throw new Error(outcome.message)
  expect(jsonBytes(outcome.output)).toBeLessThanOrEqual(MAX_TOOL_RESULT_BYTES)
  expect(outcome.spill?.bytes).toBe(12_000_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
})

/** A tree that does not want to end: deaf to SIGTERM, in sessions of its own, a daemon without a parent. */
function stubborn(name: string): string {
  return [
    `trap '' TERM`,
    `(trap '' TERM; echo $BASHPID > ${name}.child; while :; do sleep 0.1; done) &`,
    `(setsid bash -c 'echo $$ > ${name}.session; while :; do sleep 0.1; done' &)`,
    `(setsid bash -c '(setsid bash -c "echo \\$\\$ > ${name}.daemon; exec sleep 1000" >/dev/null 2>&1 &)' &)`,
    `echo $$ > ${name}.shell`,
    'while :; do sleep 0.1; done'
  ].join('\n')
}

async function treeIsUp(name: string): Promise<number[]> {
  const files = ['shell', 'child', 'session', 'daemon'].map((part) => `${name}.${part}`)
  await until(() => files.every((file) => existsSync(path.join(project.root, file)) && pidIn(file) > 0))
  const pids = files.map(pidIn)
  expect(pids.map(isAlive)).toEqual([true, true, true, true])
  return pids
}

test('O-1: the time limit ends the whole tree: children that ignore SIGTERM, other sessions, daemons', async () => {
  const running = run(`echo partial\n${stubborn('timeout')}`, {}, 3)
  const pids = await treeIsUp('timeout')
  const output = await running
  expect(output).toMatchObject({ exit_code: null, timed_out: true })
  expect(output.output).toContain('partial\n[timed out after 3 s')
  expect(pids.map(isAlive)).toEqual([false, false, false, false])
})

test('O-1: an abort ends the whole tree and keeps the output so far', async () => {
  const controller = new AbortController()
  const running = outcomeOf(`echo so far\n${stubborn('abort')}`, { abortSignal: controller.signal })
  const pids = await treeIsUp('abort')
  controller.abort()
  expect(await running).toMatchObject({ kind: 'interrupted', message: expect.stringContaining('so far') })
  expect(pids.map(isAlive)).toEqual([false, false, false, false])
  expect(await outcomeOf('echo x', { abortSignal: controller.signal })).toMatchObject({ kind: 'interrupted' })
})

test('O-1: what a command leaves behind does not hold it up, and ends with the app', async () => {
  const own = createProcessKeeper()
  const tool = createBash(own)
  const outcome = await tool.execute(
    { command: 'sleep 1000 & echo $! > left; (setsid sleep 1000 & echo $! > gone); echo done' },
    project.run()
  )
  expect(outcome).toMatchObject({ kind: 'done', output: { exit_code: 0, output: 'done\n' } })
  const pids = ['left', 'gone'].map(pidIn)
  expect(pids.map(isAlive)).toEqual([true, true])
  await own.close(200)
  expect(pids.map(isAlive)).toEqual([false, false])
})

test('O-1: in the background it answers at once, logs, and ends with the app', async () => {
  const own = createProcessKeeper()
  const tool = createBash(own)
  const start = (command: string): Promise<Outcome> => tool.execute({ command, run_in_background: true }, project.run())
  const quick = await start('echo hello; exit 4')
  const server = await start('echo up; sleep 1000')
  if (quick.kind !== 'done' || server.kind !== 'done') throw new Error('not started')
  const logOf = (outcome: typeof quick): string =>
    project.spill.textOf(outcome.output.background?.log.slice('spill:'.length) ?? '')
  await until(() => logOf(quick).includes('[ended with exit code 4]'))
  expect(logOf(quick)).toContain('hello\n')
  await until(() => logOf(server) === 'up\n')
  const pid = server.output.background?.pid ?? 0
  expect(isAlive(pid)).toBe(true)
  await own.close(200)
  expect(isAlive(pid)).toBe(false)
  await until(() => logOf(server).includes('[ended with SIGTERM]'))
})

test('O-2: children see no key of a provider, under any name', async () => {
  const planted = 'sk-planted-0123456789'
  const childEnv = childEnvironment(
    {
      PATH: process.env['PATH'],
      ANTHROPIC_API_KEY: planted,
      my_key: planted,
      OTHER: `${planted}x`,
      Custom_Key: 'another-secret',
      EMPTY_KEY: ''
    },
    ['ANTHROPIC_API_KEY', 'CUSTOM_KEY', 'EMPTY_KEY']
  )
  const { output } = await run('env; set', { childEnv })
  expect(output).not.toMatch(/planted-0123456789$|another-secret|ANTHROPIC_API_KEY|CUSTOM_KEY|EMPTY_KEY/im)
  expect(output).toContain('OTHER=')
})

test('O-1: a command that cannot begin fails with words', async () => {
  expect(await outcomeOf('a\0b')).toMatchObject({ kind: 'failed', message: 'The command holds a NUL byte.' })
  expect(await outcomeOf(`: ${'x'.repeat(3_000_000)}`)).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('too long')
  })
  expect(await bash.touch({ command: 'x'.repeat(200_000) }, project.run())).toMatchObject({ ok: false })
  expect(await outcomeOf('pwd', { projectRoot: path.join(project.root, 'gone') })).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('is not there')
  })
})
