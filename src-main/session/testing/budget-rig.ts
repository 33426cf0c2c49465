// Owns the whole app under a token budget, for tests: a small model on the loopback whose figures the script sets, ways
// to send and to read what is on disk, and what may never be wrong with rollovers.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { rowKindOf, type RowKind, usesOf } from '@common/rows/row-kinds'
import { isKnownPart, readRow, type Row } from '@common/rows/row-schema'
import { type FileSystem, nodeFileSystem } from '../../files/file-system'
import { createTokenCounter } from '../../context/token-counter'
import { scriptedEntry } from '../../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../../provider/testing/scripted-server'
import type {
  ScriptedToolCall,
  ScriptedTurn,
  ScriptedUsage,
  SeenRequest,
  TurnSource
} from '../../provider/testing/scripted-turn'
import { startTestApp, type TestApp, type TestAppOptions, type TurnEnded } from '../../testing/test-app'
import { historyProblemsOf } from './history-problems'

/** Ceiling 18 000, rollover point 15 000, warning point 9 000 at the default threshold. */
export const SMALL_MODEL = { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 }
export const SMALL_CEILING = 18_000
export const IS_BUDGET_ON = { path: 'experiments.tokenBudget', value: true }

export interface BudgetRig {
  readonly server: ScriptedServer
  readonly test: TestApp
}

interface RigOptions extends TestAppOptions {
  readonly limits?: { readonly id: string; readonly contextLimit?: number; readonly maxOutputTokens?: number }
  /** Further models of the provider. */
  readonly others?: readonly { readonly id: string; readonly contextLimit: number; readonly maxOutputTokens: number }[]
}

/** The server plays `turns`, then says `Fine.` for ever, with figures that ask for nothing. */
export async function budgetRig(
  toClose: { close(): Promise<void> }[],
  turns: readonly TurnSource[],
  { limits = SMALL_MODEL, others = [], ...options }: RigOptions = {}
): Promise<BudgetRig> {
  const script = [...turns]
  const server = await startScriptedServer({
    turns: async (request) => {
      const source = script.shift() ?? says('Fine.')
      return typeof source === 'function' ? source(request) : source
    }
  })
  toClose.push(server)
  const entry = scriptedEntry('anthropic', server.baseUrl, limits)
  const providers = [{ ...entry, models: [...entry.models, ...others] }]
  const test = await startTestApp({ providers, model: `anthropic:${limits.id}`, personPresent: false, ...options })
  toClose.push(test)
  await test.ask('settings.set', IS_BUDGET_ON)
  return { server, test }
}

/** The same home and workspace in a new app, as a restart finds it. The old one must be closed. */
export async function restarted(
  toClose: { close(): Promise<void> }[],
  { server, test }: BudgetRig,
  options: TestAppOptions = {}
): Promise<BudgetRig> {
  const again = await startTestApp({ again: test, personPresent: false, ...options })
  toClose.push(again)
  return { server, test: again }
}

/** Sends and resolves with the end at which nothing more follows by itself. */
export async function work(
  test: TestApp,
  text: string,
  mode: 'tool-end' | 'turn-end' = 'tool-end'
): Promise<TurnEnded> {
  const from = test.events.length
  await test.send(text, mode)
  return lastEnd(test, from)
}

/** Resolves with the end, after event `from`, at which nothing more follows by itself. */
export async function lastEnd(test: TestApp, from: number): Promise<TurnEnded> {
  for (;;) {
    const end = test.events.slice(from).find((event) => event.type === 'turn-ended' && !event.continues)
    if (end?.type === 'turn-ended') return end
    await test.nextEnd()
  }
}

/** An answer that calls these tools, after a request of so many tokens. */
export function calls(inputTokens: number, ...toolCalls: ScriptedToolCall[]): ScriptedTurn {
  return { toolCalls, usage: figures(inputTokens) }
}

export function says(text: string, inputTokens = 3_000): ScriptedTurn {
  return { text, usage: figures(inputTokens) }
}

export function bash(command: string): ScriptedToolCall {
  return { name: 'bash', input: { command } }
}

function figures(inputTokens: number): Partial<ScriptedUsage> {
  return { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 50 }
}

/** Rows of every window, in order, as they are on disk; a line that does not parse is no row. */
export function storedRows({ home, workspaceId }: Pick<TestApp, 'home' | 'workspaceId'>): Row[] {
  const windows = path.join(home, 'workspaces', workspaceId, 'windows')
  return readdirSync(windows)
    .filter((file) => /^w-\d+\.jsonl$/.test(file))
    .toSorted((a, b) => Number.parseInt(a.slice(2), 10) - Number.parseInt(b.slice(2), 10))
    .flatMap((file) => readFileSync(path.join(windows, file), 'utf8').split('\n'))
    .flatMap((line) => {
      const row = readRow(parsed(line))
      return row === null ? [] : [row]
    })
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return null
  }
}

export function kindsOf(rows: readonly Row[]): RowKind[] {
  return rows.map(rowKindOf)
}

export function countOf(rows: readonly Row[], kind: RowKind): number {
  return rows.filter((row) => rowKindOf(row) === kind).length
}

export function textOf(row: Row | undefined): string {
  return (row?.parts ?? []).flatMap((part) => (isKnownPart(part) && part.type === 'text' ? [part.text] : [])).join('')
}

/**
 * What is wrong with these rows of a whole history, in words; empty for none (R-6, M-4). `isCut`: a window file was cut
 * by hand, so that a boundary may stand alone.
 */
export function budgetProblemsOf(rows: readonly Row[], { isCut = false } = {}): string[] {
  const problems = historyProblemsOf(rows)
  const seen = new Set<string>()
  let isWarned = false
  for (const [index, row] of rows.entries()) {
    const { machine } = row.metadata
    if (machine?.type === 'context-budget-warning') {
      if (isWarned) problems.push(`row ${row.id} warns a window a second time`)
      isWarned = true
    }
    if (row.metadata.contextBoundaryKind !== undefined) isWarned = false
    if (machine?.type !== 'context-window-rollover') continue
    const rolloverId = String(machine['rolloverId'])
    if (seen.has(rolloverId)) problems.push(`a second boundary of rollover ${rolloverId}`)
    seen.add(rolloverId)
    const named = rows.filter((other) => other.metadata.machine?.['rolloverId'] === rolloverId)
    const from = rows.slice(0, index).findLastIndex((other) => other.metadata.contextBoundaryKind !== undefined)
    // A summary that began the window is something said; a reset is not.
    if (rows.slice(Math.max(from, 0), index).every((other) => !usesOf(other).windowEligible))
      problems.push(`rollover ${rolloverId} seals a window in which nothing was said`)
    if (isCut) continue
    if (named.length !== 2 || rows[index + 1] !== named[1])
      problems.push(`${named.length} rows of the machine name rollover ${rolloverId}`)
    const carried = rows.slice(index + 2).find((other) => other.metadata.rolloverId !== undefined)
    if (carried?.metadata.rolloverId !== rolloverId) problems.push(`rollover ${rolloverId} carries nothing`)
  }
  return problems
}

/** Tokens of what a request said, by the app's own counter: every text of it, and an allowance for each picture. */
export async function sentTokens(request: SeenRequest, mediaTokens: number): Promise<number> {
  const texts: string[] = []
  let media = 0
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (isBase64(value)) media++
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) walk(each)
  }
  walk(request.body)
  const counted = await counter.countMany(texts, 'o200k_base')
  if (!counted.ok) throw new Error('the counter failed')
  return counted.value.reduce((sum, tokens) => sum + tokens, media * mediaTokens)
}

const counter = createTokenCounter({ workerFile: null })

function isBase64(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'base64'
}

/** A real file system that tells of each call before it is made. */
export function watchedFileSystem(onCall: (name: string, path: string) => void): FileSystem {
  const paths = new Map<number, string>()
  const watched = Object.entries(nodeFileSystem).map(([name, act]) => [
    name,
    (...args: unknown[]) => {
      const path = typeof args[0] === 'number' ? (paths.get(args[0]) ?? '') : String(args[0])
      onCall(name, path)
      const result = (act as (...given: unknown[]) => unknown)(...args)
      if (name === 'open') paths.set(result as number, path)
      return result
    }
  ])
  return Object.fromEntries(watched) as FileSystem
}
