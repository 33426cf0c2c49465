// 60: `tidemark doctor` finds and explains each kind of damage, changes nothing without --repair, and keeps a copy
// of what it writes over. Also slash commands on the command line.
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandHome, type CommandHome, type FinishedRun } from './testing/run-tidemark'

let home: CommandHome
let workspaceId: string
let folder: string
beforeEach(async () => {
  home = commandHome()
  const run = await home.ask('Hello')
  workspaceId = String(run.last['workspaceId'])
  folder = path.join(home.home, 'workspaces', workspaceId)
}, 60_000)
afterEach(() => home.remove())

const at = (...names: string[]): string => path.join(folder, ...names)
const doctor = (...flags: string[]): Promise<FinishedRun> => home.run(['doctor', '--json', ...flags])

/** Every file of the home with its bytes, mode and times. */
function picture(): Record<string, string> {
  const files: Record<string, string> = {}
  const walk = (where: string): void => {
    for (const entry of readdirSync(where, { withFileTypes: true })) {
      const each = path.join(where, entry.name)
      if (entry.isDirectory()) walk(each)
      else {
        const { mode, mtimeMs, ino } = statSync(each)
        files[each] = `${ino} ${mode} ${mtimeMs} ${readFileSync(each, 'base64')}`
      }
    }
  }
  walk(home.home)
  return files
}

describe('tidemark doctor', () => {
  it('60 says that nothing is damaged where nothing is, and ends with 0', async () => {
    const run = await doctor()
    expect(run.events).toEqual([{ type: 'doctor', problems: 0, repaired: 0 }])
    expect(run.code).toBe(0)
    expect((await home.run(['doctor'])).stdout).toBe('Nothing is damaged.\n')
    expect((await doctor('--workspace', workspaceId)).code).toBe(0)
  })

  it('60 V-1 names a line of the log of requests that cannot be read', async () => {
    appendFileSync(at('requests.jsonl'), 'no json\n')
    const run = await doctor()
    expect(run.code).toBe(4)
    expect(run.events[0]).toMatchObject({
      file: at('requests.jsonl'),
      line: 3,
      problem: expect.stringMatching(/^A line/)
    })
    expect(run.last).toEqual({ type: 'doctor', problems: 1, repaired: 0 })
  })

  it('60 refuses what is wrong use', async () => {
    expect((await doctor('--workspace', 'nobody')).last).toMatchObject({ type: 'usage-error', reason: 'workspace' })
    expect((await doctor('--mend')).code).toBe(2)
    expect((await doctor('extra')).code).toBe(2)
  })

  it('60 H-3 finds every kind of damage, names file and line, changes nothing, and puts right what it can', async () => {
    const window = at('windows', 'w-0.jsonl')
    const good = readFileSync(window, 'utf8')
    const [first = ''] = good.split('\n')
    const gone = 'ab'.repeat(32)
    appendFileSync(window, 'no json\n[1]\n')
    appendFileSync(window, `${first}\n`)
    appendFileSync(
      window,
      `{"id":"f","role":"user","parts":[{"type":"file","mediaType":"image/png","url":"attachment:${gone}"},{"type":"dynamic-tool","toolCallId":"c","toolName":"bash","state":"output-available","input":{},"outputSpill":{"id":"${gone}","bytes":9}}],"metadata":{}}\n`
    )
    appendFileSync(window, '{"id":"torn')
    writeFileSync(
      at('windows', 'w-90.jsonl'),
      'lost {"contextBoundaryKind":"reset"\n{"id":"x","role":"user","parts":[],"metadata":{"historySequence":91}}\n'
    )
    writeFileSync(at('windows', '.w-0.jsonl.0123456789ab.tmp'), 'half')
    writeFileSync(at('windows', 'edit.json'), '{"version":1')
    writeFileSync(at('append-receipt.json'), 'nonsense')
    writeFileSync(at('windows.json'), '{"windows":')
    const workspace = JSON.parse(readFileSync(at('workspace.json'), 'utf8')) as object
    writeFileSync(at('workspace.json'), JSON.stringify({ ...workspace, rows: 'many' }))
    writeFileSync(at('queue.json'), '{"entries":[{"id":1}]}')
    writeFileSync(at('drafts.json'), 'x')
    writeFileSync(at('partial.json'), '{"id":')
    const ended = spawnSync(process.execPath, ['-e', '']).pid
    const { hostname } = await import('node:os')
    writeFileSync(at('history.lock'), JSON.stringify({ pid: ended, host: hostname(), startTime: null, token: 'a' }))
    writeFileSync(path.join(home.home, 'config.json'), '{\n  "autoThreshold": "high"\n}')
    writeFileSync(path.join(home.home, 'providers.json'), '{\n  "providers": [\n')
    const before = picture()
    const run = await doctor()
    expect(picture()).toEqual(before)
    expect(run.code).toBe(4)
    const found = run.events.slice(0, -1).map((event) => [path.basename(String(event['file'])), event['line']])
    const lines = good.split('\n').length - 1
    for (const expected of [
      ['config.json', 2],
      ['providers.json', 3],
      ['workspace.json', null],
      ['queue.json', null],
      ['drafts.json', null],
      ['partial.json', null],
      ['edit.json', null],
      ['w-0.jsonl', lines + 1],
      ['w-0.jsonl', lines + 2],
      ['w-0.jsonl', lines + 3],
      ['w-0.jsonl', lines + 4],
      ['w-0.jsonl', lines + 5],
      ['w-90.jsonl', 1],
      ['append-receipt.json', null],
      ['windows.json', null],
      ['history.lock', null],
      ['.w-0.jsonl.0123456789ab.tmp', null]
    ])
      expect(found, String(expected)).toContainEqual(expected)
    for (const event of run.events.slice(0, -1)) {
      expect(event).toMatchObject({ problem: expect.stringMatching(/\.(?: \(.*\))?$/), kept: expect.any(String) })
    }
    expect(run.last).toMatchObject({ type: 'doctor', repaired: 0 })

    const repair = await doctor('--repair')
    expect(repair.code).toBe(4)
    expect(Number(repair.last['repaired'])).toBeGreaterThan(12)
    const copies = Object.keys(picture()).filter((name) => name.includes('.damaged-'))
    for (const [name, bytes] of Object.entries(before)) {
      const wasWritten = [
        'append-receipt.json',
        'w-0.jsonl',
        'w-90.jsonl',
        'queue.json',
        'drafts.json',
        'workspace.json',
        'providers.json'
      ]
      if (!wasWritten.includes(path.basename(name))) continue
      const copy = copies.find((each) => each.startsWith(`${name}.damaged-`))
      expect(readFileSync(copy ?? '', 'base64'), name).toBe(bytes.split(' ')[3])
    }
    expect(readFileSync(at('cut-rows.jsonl'), 'utf8')).toContain('no json\n')
    const again = await doctor()
    const left = again.events.slice(0, -1).map((event) => String(event['problem']))
    // What no tool can bring back is still said.
    expect(left).toHaveLength(5)
    for (const words of ['autoThreshold', 'same id', 'same sequence', 'attached file is gone', 'or input is gone'])
      expect(left).toContainEqual(expect.stringContaining(words))
    const went = await home.run(['run', '--workspace', workspaceId, '--prompt', 'Hello again', '--json'])
    expect(went.last).toMatchObject({ outcome: 'completed' })
  })

  it('H-6 names the row that was changed since it was written; --repair takes the file as it is, with a copy', async () => {
    const window = at('windows', 'w-0.jsonl')
    writeFileSync(window, readFileSync(window, 'utf8').replace('Hello', 'Hallo'))
    const run = await doctor()
    expect(run.events[0]).toMatchObject({
      workspaceId,
      file: window,
      line: 1,
      problem: expect.stringContaining('Row 1 (line 1 of w-0.jsonl) is not what was written')
    })
    expect(run.last).toEqual({ type: 'doctor', problems: 1, repaired: 0 })
    const repaired = await doctor('--repair')
    expect(repaired.last).toEqual({ type: 'doctor', problems: 1, repaired: 1 })
    expect(String(repaired.events[0]?.['kept'])).toContain('windows.json.damaged-')
    expect((await doctor()).code).toBe(0)
    expect(readFileSync(window, 'utf8')).toContain('Hallo')
  })

  it('says that a window file is gone, and that a folder cannot be read, without falling over', async () => {
    rmSync(at('windows', 'w-0.jsonl'))
    mkdirSync(at('windows', 'w-5.jsonl'))
    const run = await doctor()
    expect(run.code).toBe(4)
    expect(run.last).toMatchObject({ type: 'doctor' })
  })
})

describe('slash commands on the command line', () => {
  it('60 T-6 --prompt /clear --soft and /clear are carried out and end like a turn; other slashes are text', async () => {
    const command = (text: string): Promise<FinishedRun> =>
      home.run(['run', '--workspace', workspaceId, '--prompt', text, '--json'])
    const soft = await command('/clear --soft')
    expect([soft.code, soft.last]).toMatchObject([0, { type: 'turn-ended', outcome: 'completed', requests: 0 }])
    expect(readdirSync(at('windows')).filter((name) => name.endsWith('.jsonl'))).toHaveLength(2)
    const hard = await command('/clear')
    expect(hard.last).toMatchObject({ outcome: 'completed', windowId: 'w:0', workspaceId })
    expect(readdirSync(at('windows')).filter((name) => name.endsWith('.jsonl'))).toEqual([])
    expect(readFileSync(at('cut-rows.jsonl'), 'utf8')).toContain('Hello')
    const text = await command('/nothing of ours')
    expect(text.events.some((event) => event.type === 'row-appended')).toBe(true)
  })
})
