// `npm run bench -- app-start [--quick]`: from the start of the process to the first painted row of a conversation,
// against a bare Electron window with a static React page on the same runtime (F-12).
import { existsSync, readFileSync } from 'node:fs'
import { appPathsOf } from '../src-main/files/app-paths'
import { mixedRows } from '../src-renderer/testing/mixed-rows'
import { bareApp, builtApp } from './support/app-folder'
import { buildPage } from './support/build-page'
import { startElectron } from './support/electron-process'
import { median } from './support/measure'
import { atMost, report, told } from './support/report'
import { temporaryFolder } from './support/temporary'
import { writeHome, writeRows, writeWorkspace } from './support/written-home'

const isQuick = process.argv.includes('--quick')
const ROUNDS = isQuick ? 7 : 21
const ROWS = 500

async function main(): Promise<void> {
  const bareFolder = bareApp(temporaryFolder('bare'))
  await buildPage('static', bareFolder)
  const app = builtApp()
  const home = { home: temporaryFolder('home'), project: temporaryFolder('project') }
  writeHome(home)
  writeRows(writeWorkspace(home, { id: 'ws-start', title: 'Receipts', updatedAtMs: 2 }), mixedRows(ROWS))
  const bareData = temporaryFolder('bare-data')

  // The first start of each makes folders and caches; a person sees it once.
  const first = { bare: await startBare(bareFolder, bareData), app: await startApp(app, home.home) }
  const bareMs: number[] = []
  const appMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bareMs.push(await startBare(bareFolder, bareData))
    appMs.push(await startApp(app, home.home))
  }
  const ratios = appMs.map((ms, round) => ms / (bareMs[round] ?? ms))
  report('app-start', isQuick, [
    atMost(1.5, {
      id: 'F-12',
      what: 'cold start to the first painted row, against a bare window (medians)',
      value: median(appMs) / median(bareMs),
      details: { 'app ms': median(appMs), 'bare window ms': median(bareMs) },
      note: `a conversation of ${ROWS} rows; median of the rounds' own ratios ${median(ratios).toFixed(2)}`
    }),
    told({
      id: 'F-12',
      what: 'the same, fastest of each',
      value: Math.min(...appMs) / Math.min(...bareMs),
      details: { 'app ms': Math.min(...appMs), 'bare window ms': Math.min(...bareMs) }
    }),
    told({
      id: 'F-12',
      what: 'the very first start, in ms',
      unit: ' ms',
      value: first.app,
      details: { bare: first.bare }
    })
  ])
}

async function startBare(folder: string, userData: string): Promise<number> {
  const started = startElectron(folder, { BARE_USER_DATA: userData })
  const painted = await started.until((output) => /painted (\d+)/.exec(output)?.[1] ?? null)
  await started.quit()
  return Number(painted) - started.startedAtMs
}

/** The app writes into its log when it hears that the first row was painted. */
async function startApp(folder: string, home: string): Promise<number> {
  const { log } = appPathsOf(home)
  const before = existsSync(log) ? readFileSync(log, 'utf8').length : 0
  const started = startElectron(folder, { TIDEMARK_HOME: home })
  const line = await started.until(() => {
    const lines = existsSync(log) ? readFileSync(log, 'utf8').slice(before).split('\n') : []
    return lines.find((each) => each.includes('first-row-painted') && each.endsWith('}')) ?? null
  })
  await started.quit()
  const { at } = JSON.parse(line) as { at: string }
  return Date.parse(at) - started.startedAtMs
}

void main()
