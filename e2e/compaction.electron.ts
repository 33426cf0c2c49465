// Proves compaction as a person meets it in the real app: asked for, stopped in the middle, refused, by itself at the
// threshold, and set for quiet windows.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { ScriptedUsage } from '../src-main/provider/testing/scripted-turn'
import { composerOf, lastAnswer, say, untilIdle } from './support/conversation'
import { holdAt } from './support/gate'
import { takePictures } from './support/pictures'
import { test } from './support/session-test'

const SIZES = [
  { width: 375, height: 667 },
  { width: 1280, height: 840 }
]
const LONG = 'Look at the parser and say what is wrong with it. '.repeat(60)
const SUMMARY = [
  '## Asked for\n\nWhat is wrong with the parser.',
  '## Found\n\n- It reads a line twice where the file ends without a newline.',
  '## Next\n\nWrite the test first, then take the second read out.'
].join('\n\n')

const usage = (inputTokens: number): { usage: ScriptedUsage } => ({
  usage: { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 }
})

async function openLine(page: Page, name: string): Promise<void> {
  await page.getByTestId(name).getByRole('button').first().press('Enter')
}

test('C-1 U-3: /compact streams a summary that begins a window; what was sent meanwhile goes into it', async ({
  converse
}) => {
  const held = holdAt(12)
  const { page, server, screenshot } = await converse({
    turns: [{ text: 'It reads a line twice.' }, { text: SUMMARY, delivery: held }, { text: 'The test is written.' }]
  })
  await say(page, LONG)
  await expect(lastAnswer(page)).toContainText('It reads a line twice.')
  await untilIdle(page)
  await say(page, '/compact the parser')
  await expect(page.getByTestId('compaction-running')).toContainText('Summarising this window')
  await expect(page.getByTestId('summary')).toContainText('Asked for')
  await expect(composerOf(page)).toHaveAttribute('placeholder', /it waits behind the summary/)
  await say(page, 'Write the test')
  await expect(page.getByTestId('queue-entry')).toHaveCount(1)
  await screenshot('compaction-streams')
  await takePictures(page, 'compaction-streams', SIZES)
  const line = await page.getByTestId('compaction-running').boundingBox()
  held.open()
  await expect(lastAnswer(page)).toContainText('The test is written.')
  await untilIdle(page)
  const divider = page.getByTestId('compaction-divider')
  await expect(divider).toContainText(/Compaction · window 2 · \d+ → \d+ tokens · at your wish/)
  await expect(divider).toContainText('verified')
  expect((await divider.boundingBox())?.height).toBe(line?.height)
  await expect(page.getByTestId('summary')).toContainText('This window starts from a summary')
  expect(server.requests).toHaveLength(3)
  expect(server.requests[1]?.rawBody).toContain('the parser')
  expect(server.requests[2]?.rawBody).toContain('take the second read out')
  expect(server.requests[2]?.rawBody).not.toContain('Look at the parser')
  await openLine(page, 'compaction-divider')
  await expect(divider).toContainText('scripted:test-model')
  await screenshot('compaction-done')
  await takePictures(page, 'compaction-done', SIZES)
})

test('C-1 C-5: a summary that is stopped or refused leaves one line that says why, and the window as it was', async ({
  converse
}) => {
  const { page, server, screenshot } = await converse({
    turns: [
      { text: 'It reads a line twice.' },
      { text: SUMMARY, delivery: holdAt(12) },
      { text: ' ' },
      { text: 'Yes.' }
    ]
  })
  await say(page, LONG)
  await expect(lastAnswer(page)).toContainText('It reads a line twice.')
  await untilIdle(page)
  await say(page, '/compact')
  await expect(page.getByTestId('summary')).toContainText('Asked for')
  await composerOf(page).press('Escape')
  await untilIdle(page)
  const line = page.getByTestId('row-machine')
  await expect(line).toHaveText(/No summary was made.*It was stopped/)
  await expect(page.getByTestId('summary')).toHaveCount(0)
  await say(page, '/compact')
  await expect(line.last()).toHaveText(/No summary was made.*answered without a summary/)
  await untilIdle(page)
  await expect(page.getByTestId('row-retry')).toHaveCount(0)
  await screenshot('compaction-refused')
  await takePictures(page, 'compaction-refused', SIZES)
  await say(page, 'Is that so?')
  await expect(lastAnswer(page)).toContainText('Yes.')
  await expect(page.getByTestId('compaction-divider')).toHaveCount(0)
  expect(server.requests.at(-1)?.rawBody).toContain('Look at the parser')
})

test('C-2 U-5: with the experiment off a full window is summarised before the message is answered', async ({
  converse
}) => {
  const { page, server, screenshot } = await converse({
    turns: [
      { text: 'It reads a line twice.', ...usage(148_000) },
      { toolCalls: [{ name: 'todo', input: { items: [] } }], ...usage(151_000) },
      { text: SUMMARY },
      { text: 'All is written.', ...usage(4_000) }
    ]
  })
  await say(page, LONG)
  await expect(page.getByTestId('budget-countdown')).toHaveText('compacts in 1 % · about 2k tokens')
  await untilIdle(page)
  await say(page, 'Write the test')
  await expect(lastAnswer(page)).toContainText('All is written.')
  await untilIdle(page)
  await expect(page.getByTestId('compaction-divider')).toContainText('the window was full')
  await expect(page.getByTestId('budget-countdown')).toHaveCount(0)
  await expect(page.getByTestId('rollover-divider')).toHaveCount(0)
  expect(server.requests).toHaveLength(4)
  expect(server.requests[3]?.rawBody).not.toContain('Look at the parser')
  await screenshot('compaction-automatic')
  await takePictures(page, 'compaction-automatic', SIZES)
})

test('U-8 P-8 G-2: a full window with automatic handling off is compacted from its banner; the message goes then', async ({
  converse
}) => {
  const { page, server } = await converse({
    config: { autoThreshold: 1 },
    turns: [{ text: 'It reads a line twice.', ...usage(195_000) }, { text: SUMMARY }, { text: 'The test is written.' }]
  })
  await say(page, LONG)
  await untilIdle(page)
  await say(page, 'Write the test')
  const banner = page.getByTestId('budget-blocked')
  await expect(banner).toContainText('Compact it with /compact')
  await banner.getByRole('button', { name: 'Compact', exact: true }).press('Enter')
  await expect(page.getByTestId('compaction-divider')).toContainText('at your wish')
  await untilIdle(page)
  await expect(banner).toHaveCount(0)
  await page.getByTestId('rejected-input').getByTestId('row-edit').press('Enter')
  await composerOf(page).press('Enter')
  await expect(lastAnswer(page)).toContainText('The test is written.')
  expect(server.requests).toHaveLength(3)
  expect(server.requests[2]?.rawBody).toContain('take the second read out')
})

test('C-1 U-8: /compact in an empty window says that there is nothing yet', async ({ converse }) => {
  const { page, server } = await converse({ turns: [] })
  await say(page, '/compact')
  await expect(page.getByText('There is nothing in this window yet that could be summarised.')).toBeVisible()
  await expect(page.getByTestId('row-retry')).toHaveCount(0)
  await takePictures(page, 'compaction-nothing', SIZES)
  expect(server.requests).toHaveLength(0)
})

test('C-3 U-10: the hours of quiet are set by the keyboard and kept', async ({ converse }) => {
  const { page, home, screenshot } = await converse()
  await page.getByTestId('open-settings').click()
  await page.getByRole('dialog').getByRole('tab', { name: 'Context' }).click()
  await page.getByTestId('idle-compaction').focus()
  await page.keyboard.press('Space')
  await page.getByTestId('idle-hours').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByTestId('idle-hours')).toHaveAttribute('aria-valuetext', '9 hours')
  const config = async () => JSON.parse(await readFile(join(home, 'config.json'), 'utf8')) as object
  await expect.poll(config).toMatchObject({ idleCompactionHours: 9 })
  await screenshot('settings-context')
  await takePictures(page, 'settings-context', SIZES)
})
