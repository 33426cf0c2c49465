import { describe, expect, it } from 'vitest'
import { createOutput, EXIT, usageError } from './output'

function written(json: boolean) {
  const out: string[] = []
  const errors: string[] = []
  const output = createOutput(json, {
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => errors.push(text) }
  })
  return { output, out, errors }
}

describe('the output of a command', () => {
  it('60 is one JSON event a line and no text with --json', () => {
    const { output, out, errors } = written(true)
    output.event({ type: 'text-delta', rowId: 'r', text: 'two\nlines \u001b[31m' })
    output.text('Hello')
    output.note('for the person')
    expect(out).toEqual(['{"type":"text-delta","rowId":"r","text":"two\\nlines \\u001b[31m"}\n'])
    expect(errors).toEqual(['for the person\n'])
  })

  it('60 is readable text and no event without it, and nothing but the result goes to stdout', () => {
    const { output, out, errors } = written(false)
    output.event({ type: 'text-delta' })
    output.text('Hello')
    output.note('for the person')
    expect([out, errors]).toEqual([['Hello'], ['for the person\n']])
  })

  it('lets nothing that it was told act on the terminal', () => {
    const { output, out, errors } = written(false)
    output.text('a\u001b[2Jb\n')
    output.note('c\rd')
    expect([out, errors]).toEqual([['a␛[2Jb\n'], ['c␍d\n']])
  })

  it('60 answers wrong use with its own exit code, an event or a sentence', () => {
    const json = written(true)
    expect(usageError(json.output, 'model', 'there is no model “x”.')).toBe(2)
    expect([json.out, json.errors]).toEqual([
      ['{"type":"usage-error","reason":"model","message":"there is no model “x”."}\n'],
      []
    ])
    const plain = written(false)
    expect(usageError(plain.output, 'model', 'there is no model “x”.')).toBe(2)
    expect([plain.out, plain.errors]).toEqual([[], ['tidemark: there is no model “x”.\n']])
  })

  it('60 pins the exit codes', () => {
    expect(EXIT).toEqual({ done: 0, failed: 1, usage: 2, blocked: 3, damaged: 4, interrupted: 130, terminated: 143 })
  })
})
