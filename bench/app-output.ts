// `npm run bench -- app-output [--quick]`: a tool output of 1 MB on its way to the screen: as it runs, and read whole
// afterwards, against one object through the bridge and all of it in a box of a bare window (F-21).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { bareApp } from './support/app-folder'
import { buildPage } from './support/build-page'
import { driveApp, windowOf } from './support/driven-app'
import { median } from './support/measure'
import type { OutputPage } from './support/pages/output'
import { atMost, report, told } from './support/report'
import { say, startScriptedApp, untilIdle } from './support/scripted-app'
import { temporaryFolder } from './support/temporary'

const isQuick = process.argv.includes('--quick')
const ROUNDS = isQuick ? 4 : 12
const BYTES = 1_048_576
const END = 'END-OF-OUTPUT'

/** The page's own functions, in the page. */
declare const bench: OutputPage

async function main(): Promise<void> {
  const line = (index: number): string =>
    `${index}:src/history/append-receipt.ts: const receipt = await readReceipt(path)\n`
  let output = ''
  for (let index = 1; output.length < BYTES; index++) output += line(index)
  // The time is written by the command itself, right before it prints.
  const command = `sleep 1; date +%s%N > started; cat output.txt; echo ${END}; sleep 1`
  const turns = Array.from({ length: ROUNDS + 1 }, () => [
    { toolCalls: [{ name: 'bash', input: { command } }] },
    { text: 'It ran.' }
  ]).flat()
  const product = await startScriptedApp({ Receipts: [] }, turns)
  writeFileSync(join(product.project, 'output.txt'), output)
  const folder = bareApp(temporaryFolder('bare'))
  await buildPage('output', folder)
  const bare = await driveApp(folder, { BARE_USER_DATA: temporaryFolder('bare-data') })
  const barePage = await windowOf(bare.app, 'index.html')
  await bare.app.evaluate(({ ipcMain }, text) => {
    ipcMain.handle('bench', () => ({ ok: true, value: { exit_code: 0, output: { output: text } } }))
  }, output)

  const [running, whole, object]: [number[], number[], number[]] = [[], [], []]
  for (let round = -1; round < ROUNDS; round++) {
    const { runningMs, wholeMs } = await runOnce(product.page, product.project)
    await barePage.evaluate(() => bench.clear())
    const objectMs = await barePage.evaluate(() => bench.show())
    if (round < 0) continue
    running.push(runningMs)
    whole.push(wholeMs)
    object.push(objectMs)
  }
  await product.close()
  await bare.close()
  const details = { 'product ms': median(running), 'one object ms': median(object) }
  report('app-output', isQuick, [
    atMost(0.65, {
      id: 'F-21',
      what: 'from a command that prints 1 MB to its last line on the screen, against an object of 1 MB',
      value: median(running) / median(object),
      details,
      note: 'of what runs, the tail is kept on screen; the time has the pipe from the command in it'
    }),
    told({
      id: 'F-21',
      what: 'all of it read whole in its card afterwards, page by page, against the object',
      value: median(whole) / median(object),
      details: { 'product ms': median(whole), 'one object ms': median(object) }
    })
  ])
}

async function runOnce(page: Page, project: string): Promise<{ runningMs: number; wholeMs: number }> {
  await say(page, 'Print it')
  const card = page.getByTestId('tool-card-bash').last()
  await page.locator('[data-testid="tool-card-bash"][data-state="running"]').waitFor()
  await card.getByRole('button').first().click()
  const paintedAtMs = await card.evaluate(
    (element, end) =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.addEventListener('message', () => {
              port1.close()
              if (element.querySelector('[role="region"]')?.textContent?.includes(end) === true)
                resolve(performance.timeOrigin + performance.now())
              else look()
            })
            port1.start()
            port2.postMessage(null)
          })
        }
        look()
      }),
    `\n${END}`
  )
  const startedAtMs = Number(readFileSync(join(project, 'started'), 'utf8')) / 1e6
  await untilIdle(page)
  return { runningMs: paintedAtMs - startedAtMs, wholeMs: await readWhole(card) }
}

/** Reads the whole output in an opened card, as a person who wants all of it does; milliseconds. */
function readWhole(card: Locator): Promise<number> {
  return card.evaluate(async (element, end) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const more = (): HTMLButtonElement | undefined =>
      [...element.querySelectorAll('button')].find((button) => /^Show (whole|more)/.test(button.textContent))
    const start = performance.now()
    for (let button = more(); button !== undefined; button = more()) {
      if (!button.disabled) button.click()
      await frame()
    }
    await frame()
    if (!element.textContent.includes(`\n${end}`)) throw new Error('the output was not read to its end')
    return performance.now() - start
  }, END)
}

void main()
