// Proves that a stopped answer keeps what it said, says that it was stopped, and is no obstacle to the next.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { composerOf, lastAnswer, say, untilIdle } from './support/conversation'
import { holdAt } from './support/gate'
import { test } from './support/session-test'

const LONG = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ')

for (const way of ['the button', 'Esc'] as const)
  test(`T-1: ${way} stops an answer; its text stays, marked, and the next turn works`, async ({ converse }) => {
    const held = holdAt(20)
    const { page, server } = await converse({ turns: [{ text: LONG, delivery: held }, { text: 'All is well.' }] })
    await say(page, 'Count')
    await expect(lastAnswer(page)).toContainText('word10')
    if (way === 'Esc') await composerOf(page).press('Escape')
    else await page.getByTestId('composer-stop').click()
    await untilIdle(page)
    held.open()
    await expect(lastAnswer(page)).toContainText('word10')
    await expect(lastAnswer(page)).toContainText('You stopped this answer.')
    await expect(lastAnswer(page)).not.toContainText('word39')
    await say(page, 'Go on')
    await expect(lastAnswer(page)).toContainText('All is well.')
    expect(server.requests).toHaveLength(2)
    expect(server.requests[1]?.rawBody).toContain('word10')
  })

test('O-1, T-1: Esc stops a running command with its children, and its card says so', async ({ converse }) => {
  const command = 'sleep 60 & echo $! > child.pid; wait'
  const { page, project } = await converse({
    config: { approvalMode: 'auto' },
    turns: [{ toolCalls: [{ name: 'bash', input: { command } }] }, { text: 'Next.' }]
  })
  await say(page, 'Wait')
  const card = page.getByTestId('tool-card-bash')
  await expect(card).toHaveAttribute('data-state', 'running')
  const pidFile = join(project, 'child.pid')
  await expect.poll(() => readFile(pidFile, 'utf8').catch(() => '')).toMatch(/^\d+\n$/)
  const child = Number(await readFile(pidFile, 'utf8'))
  await composerOf(page).press('Escape')
  await untilIdle(page)
  await expect(card).toHaveAttribute('data-state', 'interrupted')
  await expect.poll(() => isRunning(child)).toBe(false)
  await say(page, 'And now?')
  await expect(lastAnswer(page)).toContainText('Next.')
})

test('T-1: Esc while an approval waits gives it up without an answer for the tool', async ({ converse }) => {
  const { page } = await converse({
    turns: [{ toolCalls: [{ name: 'bash', input: { command: 'echo never' } }] }, { text: 'Fine.' }]
  })
  await say(page, 'Run it')
  await expect(page.getByTestId('approval-allow')).toBeVisible()
  await composerOf(page).press('Escape')
  await untilIdle(page)
  await expect(page.getByTestId('approval-allow')).toHaveCount(0)
  await expect(page.getByTestId('tool-card-bash')).toHaveAttribute('data-state', 'interrupted')
  await say(page, 'Leave it')
  await expect(lastAnswer(page)).toContainText('Fine.')
})

/** True while a process of that id runs; one that nobody waited for does not. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOENT')
    return false
  }
}
