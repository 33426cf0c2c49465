// A tool card's one line, and the state it is in.
import { describe, expect, it } from 'vitest'
import { toolPart } from '../../testing/row-builders'
import { toolCardState } from './tool-state'
import { skillWordsOf, toolLineOf, toolResultOf } from './tool-texts'

describe('toolLineOf', () => {
  it.each([
    ['bash', { command: 'npm test\nnpm run lint' }, 'bash', 'npm test …'],
    ['file_read', { path: 'a.ts', offset: 10, limit: 71 }, 'read', 'a.ts:10–80'],
    ['file_read', { path: 'a.ts', offset: 10 }, 'read', 'a.ts:10–'],
    ['grep', { pattern: 'x', path: 'src' }, 'grep', 'x in src'],
    [
      'todo',
      {
        items: [
          { content: 'a', status: 'completed' },
          { content: 'b', status: 'in_progress' }
        ]
      },
      'todo',
      'b'
    ],
    ['session_history', { action: 'search', query: 'retry' }, 'history', 'searched earlier windows for “retry”'],
    ['mcp__x__y', { count: 1, title: 'A title' }, 'mcp__x__y', 'A title'],
    ['mcp__x__y', null, 'mcp__x__y', ''],
    ['bash', 'not what it should be', 'bash', '']
  ])('%s %j reads as %s %s', (toolName, input, verb, target) => {
    expect(toolLineOf(toolPart(toolName, input))).toMatchObject({ verb, target })
  })
})

describe('toolResultOf', () => {
  const done = (toolName: string, output: unknown) =>
    toolResultOf(toolPart(toolName, {}, { state: 'output-available', output }))

  it.each([
    ['bash', { exit_code: 0, output: '' }, null],
    ['bash', { exit_code: 2, output: '' }, 'exit 2'],
    ['bash', { exit_code: null, timed_out: true, output: '' }, 'timed out'],
    ['file_read', { first_line: 10, last_line: 80 }, '71 lines'],
    ['grep', { total: 0 }, 'no matches'],
    ['glob', { total: 1 }, '1 file'],
    ['file_edit', 'damaged', null],
    ['unknown', { anything: 1 }, null]
  ])('%s %j gives %s', (toolName, output, words) => expect(done(toolName, output)).toBe(words))
})

describe('O-5: skillWordsOf', () => {
  it('counts the skills that a call pointed out', () => {
    const pointer = { name: 'a', text: 'A' }
    const words = [[], [pointer], [pointer, pointer]].map((skillPointers) =>
      skillWordsOf(toolPart('bash', {}, { skillPointers }))
    )
    expect([skillWordsOf(toolPart('bash', {})), ...words]).toEqual([null, null, '+ skill', '+ 2 skills'])
  })
})

describe('toolCardState', () => {
  const open = toolPart('bash', { command: 'x' })
  const live = { approval: null, question: null, output: '' }

  it('tells a running call from one that the app left behind', () => {
    expect(toolCardState(open, live)).toBe('running')
    expect(toolCardState(open, null)).toBe('unfinished')
  })

  it('tells an end that failed from one that did not', () => {
    const ended = (output: unknown) => toolCardState({ ...open, state: 'output-available', output }, null)
    expect([ended({ exit_code: 0 }), ended({ exit_code: 1 }), ended({ timed_out: true }), ended('text')]).toEqual([
      'done',
      'failed',
      'failed',
      'done'
    ])
  })

  it('puts what waits for the person first', () => {
    const question = { questionId: 'q', toolCallId: open.toolCallId, question: '?', options: [] }
    expect(toolCardState(open, { ...live, question })).toBe('question')
  })
})
