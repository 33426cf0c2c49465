// Proves that the window may reload at any time (T-3): nothing is lost, nothing stands there twice.
import { expect } from '@playwright/test'
import { composerOf, countInTranscript, lastAnswer, say, untilIdle } from './support/conversation'
import { holdAt } from './support/gate'
import { test } from './support/session-test'

const WORDS = Array.from({ length: 200 }, (_, index) => `word${index}`)

test('T-3: a reload in mid-stream shows what was said so far and then the rest, once', async ({ converse }) => {
  const [held, heldAgain] = [holdAt(30), holdAt(80)]
  const gate = async (event: number) => {
    await held.gate(event)
    await heldAgain.gate(event)
  }
  const { page } = await converse({ turns: [{ text: WORDS.join(' '), delivery: { gate } }] })
  await say(page, 'Count')
  await expect(lastAnswer(page)).toContainText('word20')
  await composerOf(page).fill('typed before the reload')
  await page.reload()
  await expect(lastAnswer(page)).toContainText('word20')
  await expect(composerOf(page)).toHaveValue('typed before the reload')
  held.open()
  await expect(lastAnswer(page)).toContainText('word60')
  await page.reload()
  heldAgain.open()
  await untilIdle(page)
  await expect(page.getByTestId('row-user')).toHaveCount(1)
  await expect(lastAnswer(page)).toContainText(WORDS.join(' '))
  for (const word of ['word0', 'word25', 'word70', 'word199'])
    expect(await countInTranscript(page, `${word} `)).toBeLessThanOrEqual(1)
})

test('T-3: a reload keeps a waiting approval and a running command with its output', async ({ converse }) => {
  const { page } = await converse({
    turns: [{ toolCalls: [{ name: 'bash', input: { command: 'echo begun; sleep 60' } }] }, { text: 'Ran.' }]
  })
  await say(page, 'Run it')
  await expect(page.getByTestId('approval-allow')).toBeVisible()
  await page.reload()
  await page.getByTestId('approval-allow').click()
  const card = page.getByTestId('tool-card-bash')
  await expect(card).toHaveAttribute('data-state', 'running')
  await card.getByRole('button').first().click()
  await expect(card).toContainText('begun')
  await page.reload()
  await expect(card).toHaveAttribute('data-state', 'running')
  await card.getByRole('button').first().click()
  await expect(card).toContainText('begun')
  await composerOf(page).press('Escape')
  await untilIdle(page)
  await expect(card).toHaveAttribute('data-state', 'interrupted')
})

test('T-3: a window that missed events notices it and takes the conversation afresh', async ({ converse }) => {
  const held = holdAt(30)
  const { app, page } = await converse({ turns: [{ text: WORDS.join(' '), delivery: held }] })
  await say(page, 'Count')
  await expect(lastAnswer(page)).toContainText('word20')
  // One batch gets lost on its way to the window.
  await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (contents === undefined) throw new Error('no window')
    const send = contents.send.bind(contents)
    contents.send = (channel, ...args) => {
      if (!JSON.stringify(args).includes('text-delta')) return send(channel, ...args)
      contents.send = send
    }
  })
  held.open()
  await untilIdle(page)
  await expect(lastAnswer(page)).toContainText(WORDS.join(' '))
})
