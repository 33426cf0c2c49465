// Proves that a real session of another agent, imported on the command line, reads well in the window (H-11):
// it opens at its end, pages to its first row, and nothing of it is torn.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { ensureBuild } from '../scripts/setup/build.mjs'
import { distanceToEnd } from './support/scrolling'
import { test } from './support/session-test'

const SESSION = 'src-main/history/testing/fixtures/pi-large-session.jsonl'

/** Turns the wheel upward until the view stands at its beginning and nothing older comes any more. */
async function scrollToBeginning(page: Page): Promise<void> {
  await page.getByTestId('transcript').evaluate(async (scroller) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let framesAtTop = 0; framesAtTop < 30; framesAtTop = scroller.scrollTop === 0 ? framesAtTop + 1 : 0) {
      scroller.scrollTop -= 3 * scroller.clientHeight
      await frame()
    }
  })
}

test('H-11: an imported session of a thousand lines opens at its end and pages to its beginning', async ({
  launch,
  folder
}) => {
  const [home, project] = [await folder(), await folder({ 'README.md': '# hello\n' })]
  await ensureBuild('cli')
  const args = ['out/cli/tidemark.cjs', 'import', '--format', 'pi', SESSION, '--project', project, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, TIDEMARK_HOME: home } })
  expect(stdout).toContain('"type":"imported"')

  const { page, screenshot } = await launch({ home, project })
  const transcript = page.getByTestId('transcript')
  await expect(transcript.locator('article').first()).toBeVisible()
  await expect.poll(() => distanceToEnd(page)).toBeLessThanOrEqual(1)
  await screenshot('imported-end')
  await scrollToBeginning(page)
  await expect(transcript.getByText(/^read packages\/coding-agent\/docs\/theme\.md in full/)).toBeVisible()
  await expect(transcript).toContainText('/mode')
  await screenshot('imported-beginning')
  // Marks of Markdown that would stand there had a block been torn.
  const prose = await transcript.locator('[data-testid=row-assistant] p').allInnerTexts()
  expect(prose.filter((text) => /^```|\*\*\S|^#{1,6} /m.test(text))).toEqual([])
})
