// Proves the choices of the `/` menu (U-8).
import { describe, expect, it } from 'vitest'
import { slashCommandsOf } from './slash-commands'

describe('U-8: the / menu', () => {
  it('offers a command alone and with its option, each with its own words', () => {
    const description = 'Empty it. With --soft only a fresh window begins.'
    expect(slashCommandsOf([{ kind: 'command', name: '/clear', arguments: '[--soft]', description }])).toEqual([
      { name: 'clear', description: 'Empty it.' },
      { name: 'clear --soft', description: 'Only a fresh window begins.' }
    ])
  })

  it('offers a skill of the project beside them, said to be one', () => {
    expect(
      slashCommandsOf([{ kind: 'skill', name: '/react-tests', arguments: '[text]', description: 'How we test.' }])
    ).toEqual([{ name: 'react-tests', description: 'Skill: How we test.' }])
  })

  it('offers any other as it is', () => {
    expect(slashCommandsOf([{ kind: 'command', name: '/help', arguments: '', description: 'Lists all.' }])).toEqual([
      { name: 'help', description: 'Lists all.' }
    ])
  })
})
