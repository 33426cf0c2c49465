// Proves skills in the app (O-5, A-1, U-8): a project's come with its trust, the list offers them, a message loads one,
// and a call on a matching path shows that it pointed to one.
import { expect } from '@playwright/test'
import { composerOf, lastAnswer, say, untilIdle } from './support/conversation'
import { test } from './support/session-test'

test('O-5 A-1: a skill of a trusted project is offered, loaded by its name and pointed out by a path', async ({
  converse,
  folder
}) => {
  const home = await folder({
    'skills/style/SKILL.md': '---\ndescription: How we write\npaths: "*.md"\n---\nShort words.'
  })
  const { page, server, screenshot } = await converse({
    turns: [{ text: 'Aye.' }, { toolCalls: [{ name: 'file_read', input: { path: 'README.md' } }] }, { text: 'Read.' }],
    files: {
      'README.md': '# hello\n',
      '.tidemark/skills/tides/SKILL.md': '---\nname: tides\ndescription: When to sail\n---\nAt high water.'
    },
    launch: { home }
  })
  const trust = page.getByRole('region', { name: 'Trust this project' })
  await expect(trust).toContainText('.tidemark/skills/tides')
  await composerOf(page).fill('/')
  await expect(page.getByRole('option', { name: '/style Skill: How we write' })).toBeVisible()
  await expect(page.getByRole('option', { name: /tides/ })).toHaveCount(0)
  await composerOf(page).fill('')
  await trust.getByRole('button', { name: 'Load them' }).click()
  await composerOf(page).fill('/ti')
  await page.getByRole('option', { name: '/tides Skill: When to sail' }).click()
  await expect(composerOf(page)).toHaveValue('/tides ')
  await composerOf(page).pressSequentially('please')
  await composerOf(page).press('Enter')
  await expect(page.getByTestId('row-machine')).toContainText('Skill loaded')
  await expect(lastAnswer(page)).toContainText('Aye.')
  await untilIdle(page)
  expect(server.requests[0]?.rawBody).toContain('At high water.')
  await say(page, 'Read it.')
  await expect(lastAnswer(page)).toContainText('Read.')
  await untilIdle(page)
  await expect(page.getByTestId('tool-card-file_read')).toContainText('+ skill')
  await page.getByTestId('tool-card-file_read').getByRole('button').first().press('Enter')
  await expect(page.getByText(/The skill “style” is about this path: How we write/)).toBeVisible()
  await screenshot('skills')
})
