// Proves token-budget windows in the real app: a task over three windows that loses nothing and asks for no summary.
import { expect } from '@playwright/test'
import { lastAnswer, say, untilIdle } from './support/conversation'
import { test } from './support/session-test'

const NOTES = '/memories/workspace/context-notes.md'
const usage = (inputTokens: number) => ({
  usage: { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 40 }
})
const bash = (command: string) => ({ name: 'bash', input: { command } })
const history = (input: object) => ({ toolCalls: [{ name: 'session_history', input }] })

/** Ceiling and rollover point 22 500, warning point 16 356. */
const LIMIT = 30_000

test('M-4 W-1 N-1 M-1 R-1 S-6 S-7: warned, it writes notes; twice rolled over, it finds the fact again', async ({
  converse
}) => {
  const { page, server, screenshot } = await converse({
    contextLimit: LIMIT,
    config: { approvalMode: 'auto', experiments: { tokenBudget: true } },
    turns: [
      { toolCalls: [bash('echo the fact is TIDE-4711')], ...usage(17_000) },
      {
        toolCalls: [
          { name: 'memory', input: { command: 'create', path: NOTES, file_text: '# Notes\nLooked for it.' } }
        ],
        ...usage(18_000)
      },
      { toolCalls: [bash('echo one'), bash('echo two'), bash('echo three')], ...usage(22_600) },
      { ...history({ action: 'list_windows' }), ...usage(6_000) },
      { ...history({ action: 'search', query: 'the fact is TIDE', window_id: 'w:0' }), ...usage(7_000) },
      ({ rawBody }) => ({
        ...history({ action: 'read_item', item_id: /item_id\\*":\\*"(i:\d+)/.exec(rawBody)?.[1] ?? 'none' }),
        ...usage(8_000)
      }),
      { toolCalls: [bash('head -c 400000 /dev/zero | tr "\\0" x')], ...usage(15_000) },
      { text: 'The fact is TIDE-4711, as it was said at first.', ...usage(5_000) }
    ]
  })
  await say(page, 'Find the fact, keep it in mind, and tell me at the end')
  await expect(lastAnswer(page)).toContainText('as it was said at first', { timeout: 60_000 })
  await untilIdle(page)
  expect(server.requests).toHaveLength(8)
  const bodies = server.requests.map(({ rawBody }) => rawBody)
  for (const body of bodies) expect(body).not.toContain('Summarise this conversation')
  expect(bodies[1]).toContain('Write or update your notes')
  // The notes are in the fresh window's system text, and nothing of the old window's rows is.
  expect(bodies[3]).toContain('Looked for it.')
  expect(bodies[3]).not.toContain('echo three')
  expect(bodies[3]).toContain('Find the fact, keep it in mind')
  // What was recovered reached the model word for word.
  expect(bodies[6]).toContain('the fact is TIDE-4711')
  expect(bodies[6]).toContain('next_offset_chars')
  expect(bodies[7]).toContain('read it page by page')
  expect(bodies[7]?.length).toBeLessThan(60_000)
  await expect(page.getByTestId('rollover-divider')).toHaveCount(2)
  await screenshot('rolled-over')
  await page.getByTestId('transcript').hover()
  await page.mouse.wheel(0, -20_000)
  await expect(page.getByTestId('budget-warning')).toBeVisible()
  await expect(page.getByTestId('transcript')).toContainText('Find the fact, keep it in mind')
  await screenshot('warned')
})

test('G-1 L-2: the demo model warns, keeps notes and rolls over by itself', async ({ launch, folder }) => {
  test.slow()
  const long = Object.fromEntries(
    Array.from({ length: 6 }, (_, file) => [
      `part-${file}.md`,
      Array.from({ length: 260 }, (_line, line) => `Line ${line} of part ${file}: the tide tables are exact.`).join(
        '\n'
      )
    ])
  )
  const { page, screenshot } = await launch({ project: await folder(long), home: await folder() })
  await expect(page.getByTestId('composer')).toBeVisible()
  for (let file = 0; file < 6; file++) {
    await say(page, `Read part-${file}.md`)
    await expect(lastAnswer(page)).toContainText(`part-${file}.md (Markdown, 260 lines)`, { timeout: 60_000 })
    await untilIdle(page)
  }
  // The divider may lie above what is on screen: `[` goes to it.
  await page.getByTestId('transcript').locator('article').last().focus()
  await page.keyboard.press('[')
  const divider = page.locator('article:focus-within').getByTestId('rollover-divider')
  await expect(divider).toContainText('verified')
  await screenshot('demo-rolled-over')
})
