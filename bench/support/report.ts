// Owns how a benchmark tells its figures: lines for a person, one JSON file for machines.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { rounded } from './measure'

export interface Figure {
  readonly id: string
  readonly what: string
  /** What the bar speaks of: a ratio, or a count where `unit` says so. */
  readonly value: number
  /** `×` when left out. */
  readonly unit?: string
  /** In words, as the table of bars has it; null for a figure that is only told. */
  readonly bar: string | null
  /** Null for a figure that is only told. */
  readonly holds: boolean | null
  /** Medians in milliseconds, or counts, by name. */
  readonly details?: Readonly<Record<string, number>>
  readonly note?: string
}

/** A figure with an upper bar. */
export function atMost(bar: number, figure: Omit<Figure, 'bar' | 'holds'>): Figure {
  return { ...figure, bar: `≤ ${bar}`, holds: figure.value <= bar }
}

/** A figure that is only told. */
export function told(figure: Omit<Figure, 'bar' | 'holds'>): Figure {
  return { ...figure, bar: null, holds: null }
}

/** Prints the figures and writes bench/results/NAME.json. */
export function report(name: string, isQuick: boolean, figures: readonly Figure[]): void {
  for (const { id, what, value, unit = '×', bar, holds, details = {}, note } of figures) {
    const verdict = holds === null ? 'info' : holds ? 'ok  ' : 'OVER'
    console.log(`${verdict} ${id} ${what}: ${rounded(value)}${unit}${bar === null ? '' : ` (bar ${bar})`}`)
    for (const [part, number] of Object.entries(details)) console.log(`       ${part}: ${rounded(number)}`)
    if (note !== undefined) console.log(`       ${note}`)
  }
  const folder = join(process.cwd(), 'bench/results')
  mkdirSync(folder, { recursive: true })
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length }
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ name, isQuick, machine, figures }, null, 2)}\n`)
}
