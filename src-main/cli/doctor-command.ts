// Owns `tidemark doctor`: finds and explains damage in a home or one workspace of it. It opens nothing as the app
// would: without --repair not a byte changes. With it, each file is copied aside before it is written.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '@common/result'
import { appPathsOf, workspacePathsOf } from '../files/app-paths'
import { fileErrorOf, isNotFound, systemCodeOf } from '../files/file-error'
import { nodeFileSystem } from '../files/file-system'
import { silentLog } from '../files/log'
import { systemClock } from '../files/system-clock'
import { checkHistory, type HistoryRepairs } from '../history/check-history'
import type { DamageFinding } from '../history/damage-finding'
import type { HistoryFiles } from '../history/history-files'
import { type HistoryStore, openHistory } from '../history/history-store'
import { checkSmallFiles } from '../session/check-small-files'
import { checkConfigFiles } from '../settings/check-config-files'
import { parseCommand } from './arguments'
import type { CommandContext } from './command-context'
import { EXIT, type Output, usageError } from './output'

const OPTIONS = { workspace: { type: 'string' }, repair: { type: 'boolean' }, json: { type: 'boolean' } } as const

type PlacedFinding = DamageFinding & { readonly workspaceId: string | null }

export async function doctorCommand(args: readonly string[], { output, home }: CommandContext): Promise<number> {
  const parsed = parseCommand(args, OPTIONS)
  if (!parsed.ok) return usageError(output, 'flag', parsed.error)
  const { values, positionals } = parsed.value
  if (positionals.length > 0) return usageError(output, 'arguments', `“${positionals[0]}” belongs to no flag.`)
  const all = await workspaceIds(home)
  if (values.workspace !== undefined && !all.includes(values.workspace))
    return usageError(output, 'workspace', `there is no workspace “${values.workspace}”.`)
  const ids = values.workspace === undefined ? all : [values.workspace]
  const findings: PlacedFinding[] = []
  if (values.workspace === undefined) {
    const found = await checkConfigFiles(appPathsOf(home))
    findings.push(...found.map((finding) => ({ ...finding, workspaceId: null })))
  }
  for (const workspaceId of ids) {
    const found = await checkWorkspace(home, workspaceId)
    findings.push(...found.map((finding) => ({ ...finding, workspaceId })))
  }
  const repaired = await report(output, findings, values.repair === true)
  output.event({ type: 'doctor', problems: findings.length, repaired })
  output.text(summaryOf(findings, repaired, values.repair === true))
  return findings.length === 0 ? EXIT.done : EXIT.damaged
}

async function checkWorkspace(home: string, workspaceId: string): Promise<DamageFinding[]> {
  const root = join(appPathsOf(home).workspaces, workspaceId)
  const files: HistoryFiles = { fs: nodeFileSystem, paths: workspacePathsOf(root), log: silentLog, isDurable: true }
  try {
    const small = await checkSmallFiles(files, workspaceId, systemClock.now())
    return [...small, ...(await checkHistory(files, repairsOf(root)))]
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    const { path, message } = fileErrorOf(cause, 'look at the workspace', root)
    return [{ file: path, line: null, problem: message, kept: 'Nothing was changed.', repair: null }]
  }
}

/** Prints each finding, repaired first where asked for; answers how many were. */
async function report(output: Output, findings: readonly PlacedFinding[], isRepairing: boolean): Promise<number> {
  const done = new Map<string, Result<string, string>>()
  let repaired = 0
  for (const { workspaceId, file, line, problem, kept, repair } of findings) {
    let keptNow = kept
    if (isRepairing && repair !== null) {
      const key = `${workspaceId} ${repair.key}`
      const result = done.get(key) ?? (await repair.run())
      done.set(key, result)
      if (result.ok) repaired++
      keptNow = result.ok ? result.value : `${kept} It could not be repaired: ${result.error}`
    }
    output.event({ workspaceId, file, line, problem, kept: keptNow })
    output.text(`${file}${line === null ? '' : `:${line}`}\n  ${problem}\n  ${keptNow}\n`)
  }
  return repaired
}

function repairsOf(workspaceDir: string): HistoryRepairs {
  const withStore = async (task: (store: HistoryStore) => Promise<Result<string, string>>) => {
    const opened = await openHistory({ workspaceDir, clock: systemClock, log: silentLog })
    if (!opened.ok) return err(opened.error.message)
    const result = await task(opened.value)
    await opened.value.close()
    return result
  }
  return {
    recover: () => withStore(async () => ok('The edit is finished or undone; what it cut is in cut-rows.jsonl.')),
    repair: (wanted) =>
      withStore(async (store) => {
        const repaired = await store.repair(wanted)
        return repaired.ok ? ok(repaired.value.join(', ')) : err(repaired.error.message)
      })
  }
}

function summaryOf(findings: readonly PlacedFinding[], repaired: number, isRepairing: boolean): string {
  if (findings.length === 0) return 'Nothing is damaged.\n'
  const count = `${findings.length} problem${findings.length === 1 ? '' : 's'}`
  if (isRepairing) return `${count}, ${repaired} repaired.\n`
  const can = findings.filter(({ repair }) => repair !== null).length
  return can === 0 ? `${count}.\n` : `${count}; \`tidemark doctor --repair\` puts ${can} of them right.\n`
}

async function workspaceIds(home: string): Promise<string[]> {
  try {
    const entries = await readdir(appPathsOf(home).workspaces, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
  } catch (cause) {
    if (isNotFound(cause)) return []
    throw cause
  }
}
