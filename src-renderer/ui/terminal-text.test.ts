// Terminal output reads as text.
import { describe, expect, it } from 'vitest'
import { terminalText } from './terminal-text'

describe('terminalText', () => {
  it.each([
    ['\u001b[32mok\u001b[0m done', 'ok done'],
    ['\u001b]8;;https://x\u0007link\u001b]8;;\u0007', 'link'],
    ['\u001b[2K\u001b[1Gnpm', 'npm'],
    ['10 %\r50 %\r100 %\nend', '100 %\nend'],
    ['long line\rab', 'abng line'],
    ['a\r\nb', 'a\nb'],
    ['tab\tkept\u0000\u0007', 'tab\tkept']
  ])('reads %j as %j', (output, text) => expect(terminalText(output)).toBe(text))
})
