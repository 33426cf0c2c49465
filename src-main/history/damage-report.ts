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
