// Proves in the whole app what an approval shows, what each answer does, and what the modes let through.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { choose, lastAnswer, say, untilIdle } from './support/conversation'
import { test } from './support/session-test'

const EDIT = { name: 'file_edit', input: { path: 'README.md', old_string: '# hello', new_string: '# hello tide' } }
const command = (text: string) => ({ name: 'bash', input: { command: text } })

test('A-3: an edit shows its diff first, and the file changes only after it was allowed', async ({ converse }) => {
  const { page, project, screenshot } = await converse({
    turns: [
      { toolCalls: [{ name: 'file_read', input: { path: 'README.md' } }] },
      { toolCalls: [EDIT] },
      { text: 'Changed.' }
    ]
  })
  await say(page, 'Change the heading')
  const approval = page.getByRole('form', { name: 'Approval' })
  await expect(approval).toContainText('README.md')
  await expect(approval).toContainText('# hello tide')
  await expect(page.getByTestId('sidebar-workspace')).toContainText(/waits|asks/i)
  expect(await readFile(join(project, 'README.md'), 'utf8')).toBe('# hello\n')
  await screenshot('approval-edit')
  await page.getByTestId('approval-allow').click()
  await expect(lastAnswer(page)).toContainText('Changed.')
  expect(await readFile(join(project, 'README.md'), 'utf8')).toBe('# hello tide\n')
  await expect(page.getByTestId('tool-card-file_edit')).toHaveAttribute('data-state', 'done')
})

test('A-3: a denial with a message leaves the project alone and reaches the agent', async ({ converse }) => {
  const { page, server, project } = await converse({
    turns: [{ toolCalls: [command('touch made')] }, { text: 'I see.' }]
  })
  await say(page, 'Make a file')
  await page.getByPlaceholder(/Why not/).fill('Write it in src instead')
  await page.getByTestId('approval-deny').click()
  await expect(lastAnswer(page)).toContainText('I see.')
  await expect(page.getByTestId('tool-card-bash')).toHaveAttribute('data-state', 'denied')
  expect(server.requests[1]?.rawBody).toContain('Write it in src instead')
  await expect(readFile(join(project, 'made'))).rejects.toThrow('ENOENT')
})

test('A-3: a command allowed for the workspace is not asked again, another one is', async ({ converse }) => {
  const { page } = await converse({
    turns: [
      { toolCalls: [command('git --version')] },
      { toolCalls: [command('git --version')] },
      { toolCalls: [command('git status')] },
      { text: 'Done.' }
    ]
  })
  await say(page, 'Which git?')
  await page.getByRole('button', { name: 'Allow for this workspace' }).click()
  const approval = page.getByRole('form', { name: 'Approval' })
  await expect(approval).toContainText('git status')
  await expect(page.getByTestId('tool-card-bash')).toHaveCount(3)
  await page.getByTestId('approval-allow').click()
  await expect(lastAnswer(page)).toContainText('Done.')
})

test('A-3: accept edits lets an edit through and asks for a command; auto asks for neither', async ({ converse }) => {
  const { page, project } = await converse({
    turns: [
      { toolCalls: [{ name: 'file_read', input: { path: 'README.md' } }] },
      { toolCalls: [EDIT] },
      { toolCalls: [command('echo first')] },
      { text: 'One.' },
      { toolCalls: [command('echo second')] },
      { text: 'Two.' }
    ]
  })
  await choose(page, 'Approvals', /Accept edits/)
  await say(page, 'Edit, then run')
  await expect(page.getByRole('form', { name: 'Approval' })).toContainText('echo first')
  expect(await readFile(join(project, 'README.md'), 'utf8')).toBe('# hello tide\n')
  await page.getByTestId('approval-allow').click()
  await expect(lastAnswer(page)).toContainText('One.')
  await choose(page, 'Approvals', /Auto/)
  await say(page, 'Run again')
  await expect(lastAnswer(page)).toContainText('Two.')
  await untilIdle(page)
  await expect(page.getByTestId('tool-card-bash').last()).toHaveAttribute('data-state', 'done')
})

test('A-3: a destructive command asks in auto too, and cannot be allowed for good', async ({ converse }) => {
  const { page } = await converse({
    config: { approvalMode: 'auto' },
    turns: [{ toolCalls: [command('rm -rf ~')] }, { text: 'I leave it.' }]
  })
  await say(page, 'Clean up')
  await expect(page.getByRole('form', { name: 'Approval' })).toContainText('may be destructive')
  await expect(page.getByRole('button', { name: 'Allow for this workspace' })).toHaveCount(0)
  await page.getByTestId('approval-deny').click()
  await expect(lastAnswer(page)).toContainText('I leave it.')
})
