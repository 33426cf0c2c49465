// Owns the whole app with its windows summarised (the experiment off), for tests of what may go wrong with that: the same
// small model and rows as under a budget, and what may never be wrong with compactions.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { rowKindOf } from '@common/rows/row-kinds'
import { isKnownPart, type Row } from '@common/rows/row-schema'
import type { TurnSource } from '../../provider/testing/scripted-turn'
import type { TestApp } from '../../testing/test-app'
import { budgetRig, type BudgetRig, IS_BUDGET_ON, textOf } from './budget-rig'
import { historyProblemsOf } from './history-problems'

/** Some thousand characters, so that a summary is shorter. */
export const LONG = 'Look at the parser and say what is wrong with it. '.repeat(40)

export async function summarisingRig(
  toClose: { close(): Promise<void> }[],
  turns: readonly TurnSource[],
  options: Parameters<typeof budgetRig>[2] = {}
): Promise<BudgetRig> {
  const made = await budgetRig(toClose, turns, options)
  await made.test.ask('settings.set', { ...IS_BUDGET_ON, value: false })
  return made
}

/** What is wrong with these rows of a whole history, in words; empty for none (C-5, V-1). */
export function compactionProblemsOf(rows: readonly Row[]): string[] {
  const problems = historyProblemsOf(rows)
  const counted = new Set<number>()
  for (const row of rows) {
    for (const sequence of requestSequencesOf(row)) {
      if (counted.has(sequence)) problems.push(`request ${sequence} is counted twice`)
      counted.add(sequence)
    }
    if (rowKindOf(row) !== 'compaction-summary') continue
    if (textOf(row).trim() === '') problems.push(`summary ${row.id} says nothing`)
    if (row.parts.some(({ type }) => type === 'dynamic-tool')) problems.push(`summary ${row.id} calls a tool`)
    const { compaction, contextUsage } = row.metadata
    if (compaction === undefined || contextUsage === undefined) problems.push(`summary ${row.id} has no figures`)
    else if (compaction.afterTokens >= compaction.beforeTokens) problems.push(`summary ${row.id} is no shorter`)
  }
  return problems
}

function requestSequencesOf({ parts }: Row): number[] {
  return parts.flatMap((part) => (isKnownPart(part) && part.type === 'step' ? [part.requestSequence] : []))
}

/** What people said, in order: rows, then what waits. */
export function saidBy(test: TestApp, rows: readonly Row[]): string[] {
  const said = rows.filter((row) => row.role === 'user' && row.metadata.machine === undefined).map(textOf)
  return [...said, ...test.session.queue.entries.flatMap(({ text, source }) => (source === 'person' ? [text] : []))]
}

/** How often the command ran that adds a line to `ran.txt`. */
export function ranIn({ project }: TestApp): number {
  const file = path.join(project, 'ran.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}
