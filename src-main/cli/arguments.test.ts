import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callerPath, parseCommand } from './arguments'

const OPTIONS = {
  prompt: { type: 'string' },
  attach: { type: 'string', multiple: true },
  json: { type: 'boolean' }
} as const

describe('parseCommand', () => {
  it('60 reads flags, repeated flags and what belongs to none', () => {
    expect(parseCommand(['get', '--attach', 'a', '--attach=b', '--prompt', 'go on', '--json'], OPTIONS)).toEqual({
      ok: true,
      value: { values: { attach: ['a', 'b'], prompt: 'go on', json: true }, positionals: ['get'] }
    })
  })

  it('60 takes a value that begins with a dash after an equals sign, and everything after two dashes as it is', () => {
    expect(parseCommand(['--prompt=--help'], OPTIONS)).toMatchObject({ value: { values: { prompt: '--help' } } })
    expect(parseCommand(['--', '--json'], OPTIONS)).toMatchObject({ value: { positionals: ['--json'] } })
  })

  it.each([
    ['an unknown flag', ['--promt', 'x'], "Unknown option '--promt'."],
    ['a missing value', ['--prompt'], "Option '--prompt <value>' argument missing"],
    ['a value for a switch', ['--json=yes'], "Option '--json' does not take an argument"],
    ['a name of every object', ['--constructor'], "Unknown option '--constructor'."]
  ])('60 says in words that there is %s', (_name, args, message) => {
    expect(parseCommand(args, OPTIONS)).toEqual({ ok: false, error: message })
  })

  it('60 says how to write a value that looks like a flag', () => {
    const parsed = parseCommand(['--prompt', '--json'], OPTIONS)
    expect(parsed.ok ? '' : parsed.error).toContain('--prompt=-XYZ')
  })
})

describe('callerPath', () => {
  it('60 resolves against the folder of the call, which npm tells in INIT_CWD', () => {
    expect(callerPath('a/b', { INIT_CWD: '/home/me' })).toBe(resolve('/home/me/a/b'))
    expect(callerPath('../c', { INIT_CWD: '/home/me' })).toBe(resolve('/home/c'))
    expect(callerPath('/x', { INIT_CWD: '/home/me' })).toBe(resolve('/x'))
    expect(callerPath('a', {})).toBe(resolve('a'))
  })
})
