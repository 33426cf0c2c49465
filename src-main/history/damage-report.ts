// Owns what a reader found wrong: counted and named, never repaired here, never deleted (H-3).

export type DamageProblem =
  /** A line that is no JSON. */
  | 'unparsed'
  /** JSON, but no row (no id). */
  | 'not-a-row'
  /** Longer than MAX_LINE_BYTES; passed over without being read into memory. */
  | 'oversized'
  /** The last line has no end and does not parse: a write was cut short. */
  | 'torn-tail'
  /** A window file whose first line does not parse; it is not in force. */
  | 'unreadable-window'

export interface DamagePlace {
  readonly windowId: string
  /** Where the line starts in its window file. */
  readonly byteOffset: number
  readonly bytes: number
  readonly problem: DamageProblem
}

export interface DamageReport {
  /** Damaged places in all, also those beyond `places`. */
  readonly total: number
  /** The first places, at most MAX_REPORTED_PLACES. */
  readonly places: readonly DamagePlace[]
}

/** Enough to explain; a file of noise must not fill memory. */
export const MAX_REPORTED_PLACES = 50

export const NO_DAMAGE: DamageReport = { total: 0, places: [] }

/** Collects damage while a reader goes on. */
export class DamageCollector {
  readonly #places: DamagePlace[] = []
  #total = 0

  add(place: DamagePlace): void {
    this.#total++
    if (this.#places.length < MAX_REPORTED_PLACES) this.#places.push(place)
  }

  report(): DamageReport {
    return this.#total === 0 ? NO_DAMAGE : { total: this.#total, places: this.#places }
  }
}

const PROBLEM_TEXT: Readonly<Record<DamageProblem, string>> = {
  unparsed: 'a line that cannot be read',
  'not-a-row': 'a line that is no message',
  oversized: 'a line that is too long to read',
  'torn-tail': 'a last line that was cut short',
  'unreadable-window': 'a window file whose beginning cannot be read'
}

/** One sentence for the person, or null when nothing is wrong. */
export function describeDamage(report: DamageReport): string | null {
  const first = report.places[0]
  if (first === undefined) return null
  const where = `${PROBLEM_TEXT[first.problem]} in window ${first.windowId} at byte ${first.byteOffset}`
  const more = report.total === 1 ? '' : ` and ${report.total - 1} more`
  return `Part of this history is damaged: ${where}${more}. It was passed over and left on disk; everything else is shown.`
}
