import type { LanguageModelV3Prompt, LanguageModelV3ToolResultPart } from '@ai-sdk/provider'
import { TOOL_CONTRACTS, TOOL_NAMES } from '@common/tools/tool-contracts'
import type { ToolName } from '@common/tools/tool-contracts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDemoModel } from './demo-model'
import { recognise } from './recognise'
import { MAX_CALLS_PER_TURN } from './replay'

const NAMES = [...TOOL_NAMES, 'memory', 'session_history', 'web_fetch']

const phrase = fc.constantFrom(
  'read',
  'run the tests',
  'src/a.ts',
  '`ls -la`',
  'replace "a" with "b"',
  'in it',
  'then',
  'find TODO',
  'remember that x',
  'what did I say about',
  'create notes.md with',
  'list all files',
  '\n- ',
  ', and ',
  'continue',
  'rename foo to bar',
  'make a todo list: a, b',
  'what is this project',
  'earlier',
  '?',
  'w:0',
  'session_history',
  'window tokens rollover notes new window '.repeat(5),
  '“',
  '```',
  'delete x.txt',
  'append y to z.txt',
  'ask me: a or b',
  'summarise our conversation'
)
const request = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc
    .array(fc.oneof(phrase, fc.string({ maxLength: 12 })), { minLength: 1, maxLength: 10 })
    .map((words) => words.join(' '))
)

const paths = fc.array(fc.constantFrom('a.ts', 'README.md', 'package.json', 'src/b.js', '', '../x'), { maxLength: 5 })
const plausible = fc.oneof(
  fc.record({ paths, total: fc.nat(9), truncated: fc.boolean() }),
  fc.record({
    matches: fc.array(
      fc.record({ path: fc.constantFrom('a.ts', 'b.ts', 'c.ts'), line: fc.nat(99), text: fc.string() }),
      { maxLength: 12 }
    ),
    total: fc.nat(99),
    truncated: fc.boolean()
  }),
  fc.record({
    path: fc.string(),
    content: fc.string().map((text) => `1\t${text}\n2\tfoo`),
    first_line: fc.nat(3),
    last_line: fc.nat(3),
    total_lines: fc.option(fc.nat(3))
  }),
  fc.record({ exit_code: fc.option(fc.nat(3)), output: fc.string() })
)
const output: fc.Arbitrary<LanguageModelV3ToolResultPart['output']> = fc.oneof(
  plausible.map((value) => ({ type: 'json' as const, value })),
  fc.jsonValue().map((value) => ({ type: 'json' as const, value: JSON.parse(JSON.stringify(value)) })),
  fc.string().map((value) => ({ type: 'text' as const, value })),
  fc
    .constantFrom('already exists', 'denied by the person', '', 'ENOENT')
    .map((value) => ({ type: 'error-text' as const, value })),
  fc.constant({ type: 'execution-denied' as const, reason: 'no' })
)

describe('the demo, whatever it is told and whatever comes back (L-2)', () => {
  it('calls only tools that are offered, with inputs that their contracts take, and comes to an end', async () => {
    const model = createDemoModel({ paceMs: 0 })
    await fc.assert(
      fc.asyncProperty(
        request,
        fc.subarray(NAMES),
        fc.array(output, { minLength: 1, maxLength: 12 }),
        async (text, offered, outputs) => {
          const prompt: LanguageModelV3Prompt = [
            { role: 'system', content: 'Notes are in /memories/workspace/context-notes.md.' },
            { role: 'user', content: [{ type: 'text', text }] }
          ]
          const tools = offered.map((name) => ({ type: 'function' as const, name, inputSchema: {} }))
          let given = 0
          for (let step = 0; ; step++) {
            expect(step).toBeLessThan(MAX_CALLS_PER_TURN + 2)
            const { content, finishReason } = await model.doGenerate({ prompt, tools })
            const calls = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
            for (const call of calls) {
              expect(offered).toContain(call.toolName)
              const contract = TOOL_CONTRACTS[call.toolName as ToolName] as
                | (typeof TOOL_CONTRACTS)[ToolName]
                | undefined
              const checked = contract?.input.safeParse(JSON.parse(call.input))
              expect(checked?.success ?? true, `${call.toolName} ${call.input}`).toBe(true)
            }
            if (calls.length === 0) {
              expect(['stop', 'length']).toContain(finishReason.unified)
              expect(
                content
                  .map((part) => (part.type === 'text' ? part.text : ''))
                  .join('')
                  .trim()
              ).not.toBe('')
              return
            }
            prompt.push({
              role: 'assistant',
              content: calls.map((call) => ({
                type: 'tool-call',
                toolCallId: call.toolCallId,
                toolName: call.toolName,
                input: JSON.parse(call.input)
              }))
            })
            prompt.push({
              role: 'tool',
              content: calls.map((call) => ({
                type: 'tool-result',
                toolCallId: call.toolCallId,
                toolName: call.toolName,
                output: outputs[given++ % outputs.length] ?? { type: 'text', value: '' }
              }))
            })
          }
        }
      ),
      { numRuns: 250, seed: 42 }
    )
  })

  it('understands or passes over any text in bounded time', () => {
    const nasty = fc.tuple(
      fc.constantFrom(
        'in ',
        'replace ',
        '"',
        "'",
        '`',
        'a/',
        '* ',
        'remember ',
        '- ',
        'of the ',
        '.',
        'list: ',
        ' or ',
        'w'
      ),
      fc.integer({ min: 1, max: 4_000 })
    )
    fc.assert(
      fc.property(fc.array(nasty, { minLength: 1, maxLength: 4 }), (pieces) => {
        const text = pieces.map(([piece, count]) => piece.repeat(count)).join('')
        const startMs = performance.now()
        expect(recognise(text).length).toBeGreaterThan(0)
        expect(performance.now() - startMs).toBeLessThan(1_000)
      }),
      { numRuns: 60, seed: 5 }
    )
  })
})
