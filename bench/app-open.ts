// `npm run bench -- app-open [--quick]`: from the click on a workspace to its last rows painted: one of 50 000 rows
// (84 MB) in hundreds of windows, and one of 100 MB in a single window, against one of 100 rows (F-15).
// A workspace is opened once only: each round has copies of its own.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Row } from '@common/rows/row-schema'
import { silentLog } from '../src-main/files/log'
import { systemClock } from '../src-main/files/system-clock'
import { openHistory } from '../src-main/history/history-store'
import { builtApp } from './support/app-folder'
import { driveApp, watchMainThread } from './support/driven-app'
import { longRows } from './support/long-rows'
import { median } from './support/measure'
import { atMost, report, told } from './support/report'
import { temporaryFolder } from './support/temporary'
import { writeHome, writeRows, writeWorkspace, type WrittenHome } from './support/written-home'

const isQuick = process.argv.includes('--quick')
const ROUNDS = isQuick ? 4 : 12
const MB = 1_000_000

interface Kind {
  readonly name: string
  readonly rows: readonly Row[]
  readonly bytes: number
}

async function main(): Promise<void> {
  const home = { home: temporaryFolder('home'), project: temporaryFolder('project') }
  writeHome(home)
  const kinds = [
    kindOf('small', longRows(100, 'small')),
    kindOf('large', longRows(50_000, 'large')),
    kindOf(
      'single',
      longRows(61_000, 'single').filter((row) => row.metadata.contextBoundaryKind === undefined)
    )
  ]
  const made: Kind[] = []
  for (const { name, rows } of kinds) made.push({ name, rows, bytes: await writeCopies(home, name, rows) })
  const driven = await driveApp(builtApp(), { TIDEMARK_HOME: home.home })
  const { page } = driven
  await page.getByTestId('sidebar-workspace').first().waitFor()
  const thread = await watchMainThread(page)
  const times: Record<string, number[]> = {}
  const spent: Record<string, number[]> = {}
  for (let round = 0; round <= ROUNDS; round++)
    for (let place = 0; place < made.length; place++) {
      const { name } = made[(place + round) % made.length] as Kind
      const before = await thread.spentMs()
      const ms = await openWorkspace(page, `${name} ${round}`, name)
      // The first round loads what every opening uses.
      if (round === 0) continue
      ;(times[name] ??= []).push(ms)
      ;(spent[name] ??= []).push((await thread.spentMs()) - before)
    }
  await driven.close()

  const ms = (name: string): number => median(times[name] ?? [])
  const details = Object.fromEntries(made.map(({ name }) => [`${name}, ms`, ms(name)]))
  const spentMs = Object.fromEntries(made.map(({ name }) => [`${name}, ms`, median(spent[name] ?? [])]))
  const [small, large, single] = made as [Kind, Kind, Kind]
  report('app-open', isQuick, [
    atMost(1.5, {
      id: 'F-15',
      what: `opening ${large.rows.length} rows (${Math.round(large.bytes / MB)} MB, many windows) against ${small.rows.length} rows`,
      value: ms('large') / ms('small'),
      details,
      note: 'from the click to the last rows painted'
    }),
    atMost(1.5, {
      id: 'F-15',
      what: `opening ${Math.round(single.bytes / MB)} MB in one window against ${small.rows.length} rows`,
      value: ms('single') / ms('small')
    }),
    told({
      id: 'F-15',
      what: 'processor time of the page for it, large against small',
      value: median(spent['large'] ?? []) / median(spent['small'] ?? []),
      details: spentMs
    })
  ])
}

function kindOf(name: string, rows: readonly Row[]): Omit<Kind, 'bytes'> {
  return { name, rows }
}

/** Writes a workspace for each round, each with the receipt that its last append left; returns the bytes of one. */
async function writeCopies(home: WrittenHome, name: string, rows: readonly Row[]): Promise<number> {
  const about = (round: number) => ({
    id: `ws-${name}-${round}`,
    title: `${name} ${round}`,
    updatedAtMs: 1_000 - round,
    rows: rows.length
  })
  const first = writeWorkspace(home, about(0))
  const { bytes } = writeRows(first, rows)
  for (let round = 0; round <= ROUNDS; round++) {
    const folder = writeWorkspace(home, about(round))
    if (round > 0) cpSync(join(first, 'windows'), join(folder, 'windows'), { recursive: true })
  }
  for (let round = 0; round <= ROUNDS; round++) {
    const folder = join(home.home, 'workspaces', `ws-${name}-${round}`)
    const opened = await openHistory({ workspaceDir: folder, clock: systemClock, log: silentLog })
    if (!opened.ok) throw new Error(opened.error.message)
    const appended = await opened.value.appendMany([
      { id: `${name}-last`, role: 'user', parts: [{ type: 'text', text: 'And now the next thing.' }], metadata: {} }
    ])
    if (!appended.ok) throw new Error(appended.error.message)
    await opened.value.close()
  }
  return bytes
}

/** Clicks on a workspace of the sidebar; resolves when its last row is painted. Milliseconds. */
function openWorkspace(page: Page, title: string, name: string): Promise<number> {
  return page.evaluate(
    async ([wanted, lastRow]) => {
      const items = [...document.querySelectorAll<HTMLElement>('[data-testid="sidebar-workspace"]')]
      const item = items.find((each) => each.textContent?.includes(wanted))
      if (item === undefined) throw new Error(`no workspace ${wanted} in the sidebar`)
      const painted = (): Promise<void> =>
        new Promise((resolve) =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.addEventListener('message', () => {
              port1.close()
              resolve()
            })
            port1.start()
            port2.postMessage(null)
          })
        )
      await painted()
      const start = performance.now()
      item.click()
      const isThere = (): boolean =>
        item.getAttribute('aria-current') === 'true' && document.querySelector(`[data-row-id="${lastRow}"]`) !== null
      do await painted()
      while (!isThere())
      return performance.now() - start
    },
    [title, `${name}-last`] as const
  )
}

void main()
