import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { defaultSettings } from '@common/settings/settings-schema'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inForm } from '../history/testing/long-form'
import { openSettingsStore } from './settings-store'
import { tempHome, type TempHome } from './testing/temp-home'

function open(home: TempHome) {
  return openSettingsStore(home.paths.config, home)
}

describe('a settings file that is missing or whole', () => {
  it('gives defaults without a file, and makes none by reading', () => {
    const home = tempHome()
    expect(open(home).settings()).toEqual(defaultSettings())
    expect(readdirSync(home.paths.root)).toEqual([])
  })

  it('reads comments, trailing commas, a byte order mark and blank files', () => {
    const home = tempHome()
    home.write('config.json', '\ufeff{\n  // mine\n  "theme": "dark",\n}\n')
    expect(open(home).settings().theme).toBe('dark')
    home.write('config.json', '  \n')
    expect(open(home).problems()).toEqual([])
  })

  it('keeps comments, unknown fields and layout when it changes one value', async () => {
    const home = tempHome()
    const text = '{\n\t// why dark\n\t"theme": "dark",\n\t"fromTheFuture": { "a": [1, 2] }, // kept\n}\n'
    home.write('config.json', text)
    const store = open(home)
    expect((await store.set('theme', 'light')).ok).toBe(true)
    expect(home.read('config.json')).toBe(text.replace('"dark"', '"light"'))
    await store.set('experiments.tokenBudget', true)
    const after = home.read('config.json')
    expect(after).toContain('// why dark')
    expect(after).toContain('// kept')
    expect(after.replace(/\s/g, '')).toContain('"fromTheFuture":{"a":[1,2]}')
    expect(open(home).settings().experiments).toEqual({ tokenBudget: true })
  })

  it('writes the file for its owner alone, atomically, leaving nothing beside it', async () => {
    const home = tempHome()
    await open(home).set('theme', 'dark')
    expect(statSync(home.paths.config).mode & 0o777).toBe(0o600)
    expect(readdirSync(home.paths.root)).toEqual(['config.json'])
  })
})

describe('a broken settings file', () => {
  const broken = '{\n  "theme": "dark",\n  "memory" "off"\n}\n'

  it('is named with line and column, kept byte for byte, and defaults are used', async () => {
    const home = tempHome()
    home.write('config.json', broken)
    const store = open(home)
    expect(store.settings()).toEqual(defaultSettings())
    expect(store.problems()[0]?.message).toBe(
      'config.json is broken at line 3, column 12 (a colon is missing); it is kept as it is and defaults are used until it is repaired.'
    )
    const refused = await store.set('theme', 'light')
    expect(refused).toMatchObject({ ok: false, error: { kind: 'broken' } })
    expect(home.read('config.json')).toBe(broken)
  })

  it('is copied aside only when the person takes the defaults', async () => {
    const home = tempHome()
    home.write('config.json', broken)
    const store = open(home)
    expect((await store.acceptDefaults()).ok).toBe(true)
    const aside = readdirSync(home.paths.root).find((name) => name.startsWith('config.json.broken-'))
    expect(home.read(aside ?? '')).toBe(broken)
    expect((await store.set('theme', 'light')).ok).toBe(true)
    expect(store.problems()).toEqual([])
  })

  it('lets a value be held for this run, until it is repaired', () => {
    const home = tempHome()
    home.write('config.json', broken)
    const store = open(home)
    const project = { id: 'p-1', path: '/work', name: 'work', addedAtMs: 1 }
    store.holdUntilRepaired('projects', [project])
    expect(store.settings().projects).toEqual([project])
    expect(home.read('config.json')).toBe(broken)
    home.write('config.json', '{ "theme": "light" }')
    store.refresh()
    expect(store.settings()).toMatchObject({ theme: 'light', projects: [] })
  })

  it('is used again once it was repaired by hand', () => {
    const home = tempHome()
    home.write('config.json', broken)
    const store = open(home)
    home.write('config.json', '{ "theme": "light" }')
    expect(store.refresh()).toBe(true)
    expect(store.settings().theme).toBe('light')
    expect(store.refresh()).toBe(false)
  })

  it('that is a folder, or not UTF-8, is told and never written', async () => {
    const home = tempHome()
    mkdirSync(home.paths.config)
    expect((await open(home).set('theme', 'dark')).ok).toBe(false)
    const other = tempHome()
    other.write('config.json', Buffer.from([0x7b, 0x0a, 0x22, 0xff, 0x22, 0x7d]))
    expect(open(other).problems()[0]?.message).toContain('line 2, column 2 (it is not UTF-8 text)')
    expect((await open(other).set('theme', 'dark')).ok).toBe(false)
  })

  it('never throws and never writes a byte of what it cannot read, whatever the bytes', async () => {
    const whole =
      '{"theme":"dark","autoThreshold":0.6,"experiments":{"tokenBudget":true},"projects":[{"id":"a","path":"/","name":"n","addedAtMs":1}],"x":[1,{"y":null}]}'
    const damaged = fc.oneof(
      fc
        .tuple(fc.nat(whole.length), fc.nat(8), fc.string())
        .map(([at, cut, put]) => whole.slice(0, at) + put + whole.slice(at + cut)),
      fc.string(),
      fc.json(),
      fc.constantFrom(
        '[]',
        'null',
        '7',
        '"x"',
        '{"a":'.repeat(300),
        '['.repeat(5_000),
        '{"theme":1,"theme":"dark"}',
        '{"__proto__":{"theme":"dark"}}'
      )
    )
    await fc.assert(
      fc.asyncProperty(damaged, async (text) => {
        const home = tempHome()
        home.write('config.json', text)
        const store = open(home)
        const isBroken = store.problems().some((problem) => problem.kind === 'broken')
        const saved = await store.set('theme', 'light')
        expect(saved.ok).toBe(!isBroken)
        if (isBroken) expect(Buffer.from(home.read('config.json'))).toEqual(Buffer.from(text))
        else expect(open(home).settings().theme).toBe('light')
      }),
      { numRuns: inForm({ quick: 40, full: 150, long: 150 }), seed: 7 }
    )
  })
})

describe('a single invalid field', () => {
  it('falls back alone, with its place; the rest is used and nothing is dropped from the file', async () => {
    const home = tempHome()
    const text =
      '{\n  "theme": "mauve",\n  "memory": "off",\n  "experiments": { "tokenBudget": "yes", "other": true }\n}\n'
    home.write('config.json', text)
    const store = open(home)
    expect(store.settings()).toMatchObject({ theme: 'system', memory: 'off', experiments: { other: true } })
    expect(store.problems().map(({ line, column, path }) => [line, column, path])).toEqual([
      [2, 12, 'theme'],
      [4, 35, 'experiments.tokenBudget']
    ])
    await store.set('memory', 'on')
    expect(home.read('config.json')).toBe(text.replace('"off"', '"on"'))
  })

  it('passes over one damaged project of a list and keeps it on disk when another is added', async () => {
    const home = tempHome()
    home.write('config.json', '{"projects":[{"id":7,"path":"/bad"},{"id":"b","path":"/b","name":"b","addedAtMs":1}]}')
    const store = open(home)
    expect(store.settings().projects.map((project) => project.id)).toEqual(['b'])
    expect((await store.set('projects.0.trusted', true)).ok).toBe(false)
    await store.update('projects', (projects) => [...projects, { id: 'c', path: '/c', name: 'c', addedAtMs: 2 }])
    expect(
      open(home)
        .settings()
        .projects.map((project) => project.id)
    ).toEqual(['b', 'c'])
    expect(home.read('config.json')).toContain('/bad')
  })
})

describe('settings by dotted path', () => {
  it('gets and sets nested values, model names with dots and colons among them', async () => {
    const store = open(tempHome())
    expect(store.get('autoThreshold')).toEqual({ ok: true, value: 0.7 })
    expect((await store.setFromText('modelThresholds.openai:gpt-5.4', '0.5')).ok).toBe(true)
    expect(store.get('modelThresholds.openai:gpt-5.4')).toEqual({ ok: true, value: 0.5 })
    expect((await store.setFromText('experiments.tokenBudget', 'true')).ok).toBe(true)
    expect((await store.setFromText('defaultModel', 'openai:gpt-6.2-sol')).ok).toBe(true)
    expect(store.settings()).toMatchObject({ experiments: { tokenBudget: true }, defaultModel: 'openai:gpt-6.2-sol' })
    expect((await store.set('defaultModel', undefined)).ok).toBe(true)
    expect(store.settings().defaultModel).toBe('demo:tide-1')
  })

  it.each([
    ['colour', 'dark', /There is no setting "colour"\. Settings: defaultModel, /],
    ['experiments.tokenBudge', 'true', /There is no experiment "tokenBudge"\. Experiments: tokenBudget\./],
    ['theme', 'mauve', /theme was not changed: .*"system"\|"light"\|"dark"/],
    ['autoThreshold', '0.1', /autoThreshold was not changed: .*0\.2/],
    ['autoThreshold', 'high', /expected number/],
    ['hotMemories', 'maybe', /expected boolean/],
    ['defaultModel', 'claude', /written PROVIDER:MODEL/],
    ['modelThresholds.gpt', '0.5', /is no model/],
    ['projects.3.trusted', 'true', /list is shorter/],
    ['theme.dark', 'x', /There is no setting/],
    ['__proto__', 'x', /There is no setting/]
  ])('refuses %s = %s and says what is allowed', async (key, text, message) => {
    const home = tempHome()
    const saved = await open(home).setFromText(key, text)
    expect(saved).toMatchObject({ ok: false, error: { kind: 'invalid', message: expect.stringMatching(message) } })
    expect(readdirSync(home.paths.root).filter((name) => name === 'config.json')).toEqual([])
  })
})

describe('two writers of one file', () => {
  it('merge by key: neither loses the change of the other', async () => {
    const home = tempHome()
    const [one, two] = [open(home), open(home)]
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => one.set(`modelThresholds.a:${index}`, 0.5)),
      ...Array.from({ length: 10 }, (_, index) => two.set(`modelThresholds.b:${index}`, 0.6)),
      one.update('projects', (list) => [...list, { id: 'p1', path: '/1', name: '1', addedAtMs: 1 }]),
      two.update('projects', (list) => [...list, { id: 'p2', path: '/2', name: '2', addedAtMs: 2 }])
    ])
    const settings = open(home).settings()
    expect(Object.keys(settings.modelThresholds)).toHaveLength(20)
    expect(settings.projects.map((project) => project.id).toSorted()).toEqual(['p1', 'p2'])
  })

  it('tell their subscribers once a change, and stop when asked', async () => {
    const store = open(tempHome())
    const seen: string[] = []
    const stop = store.subscribe((settings) => seen.push(settings.theme))
    await store.set('theme', 'dark')
    await store.set('theme', 'dark')
    stop()
    await store.set('theme', 'light')
    expect(seen).toEqual(['dark'])
  })
})
