// Owns a conversation that shows most of what a transcript can hold, for looking at pages as a whole.
import type { ScriptedTurn } from '../../src-main/provider/testing/scripted-turn'
import type { Files } from './launch-app'

export const SHOWCASE_FILES: Files = {
  'README.md': '# Receipts\n\nA small service that writes down what was promised.\n',
  'src/net/client.ts': [
    'const MAX_ATTEMPTS = 4',
    '',
    'export async function request(url: string, init: RequestInit = {}): Promise<Response> {',
    '  for (let attempt = 0; attempt < 3; attempt += 1) {',
    '    const response = await fetch(url, init)',
    '    if (response.ok) return response',
    '    await sleep(backoff(attempt))',
    '  }',
    '  throw new Error(`no answer from ${url}`)',
    '}',
    ''
  ].join('\n'),
  'test/client.test.mjs': "import test from 'node:test'\ntest('waits as long as the server asks', () => undefined)\n"
}

const FOUND = `The retry budget is spent twice: \`withRetry\` wraps a client that **already retries**. So one overloaded answer costs up to 16 requests instead of 4, and the wait that the server asked for is honoured by the inner loop alone.

| Place | Attempts | Honours \`retry-after\` |
| :-- | --: | :-: |
| \`src/net/client.ts\` | 3 | no |
| \`src/net/with-retry.ts\` | 4 | yes |

I take the outer loop away and let the inner one listen:`

const DONE = `Done. \`request\` now makes **four attempts at most** and waits as long as the server asks:

\`\`\`ts
if (response.ok || !isRetryable(response.status)) return response
await sleep(retryAfterMs(response) ?? backoff(attempt)) // the server's wish comes first
\`\`\`

The test passes. One thing is left to decide: a \`Retry-After\` of an hour is still waited for; I would tell the person instead.`

/** Reads, searches, explains, edits (asks), runs (asks), and sums up. */
export const SHOWCASE_TURNS: readonly ScriptedTurn[] = [
  {
    thinking: 'Two loops could both retry. I look at the client first, then at who calls it.',
    text: 'I look at the client and at who calls it.',
    toolCalls: [
      { name: 'file_read', input: { path: 'src/net/client.ts' } },
      { name: 'grep', input: { pattern: 'attempt', path: 'src' } }
    ]
  },
  {
    text: FOUND,
    toolCalls: [
      {
        name: 'file_edit',
        input: {
          path: 'src/net/client.ts',
          old_string:
            '  for (let attempt = 0; attempt < 3; attempt += 1) {\n    const response = await fetch(url, init)\n    if (response.ok) return response\n    await sleep(backoff(attempt))\n  }\n  throw new Error(`no answer from ${url}`)',
          new_string:
            '  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {\n    const response = await fetch(url, init)\n    if (response.ok || !isRetryable(response.status)) return response\n    await sleep(retryAfterMs(response) ?? backoff(attempt))\n  }\n  throw new RetryError(url)'
        }
      }
    ]
  },
  { toolCalls: [{ name: 'bash', input: { command: 'node --test test/' } }] },
  { text: DONE }
]

export const SHOWCASE_REQUEST = 'Requests to the receipts service are retried far too often. Find out why, and fix it.'
