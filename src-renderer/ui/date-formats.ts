// Owns the ways a date is written. A format costs more than what it writes (several milliseconds the first time, a
// tenth of one after that), so each is made once, when it is first needed.

const FORMATS = {
  /** 14 Apr */
  day: { day: 'numeric', month: 'short' },
  /** 14 Apr 2026 */
  dayAndYear: { day: 'numeric', month: 'short', year: 'numeric' },
  /** 09:30 */
  time: { hour: '2-digit', minute: '2-digit' },
  /** 14 Apr 2026, 09:30 */
  whole: { dateStyle: 'medium', timeStyle: 'short' }
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const made = new Map<string, Intl.DateTimeFormat>()

/** A date in the person's own language. */
export function dateText(format: keyof typeof FORMATS, atMs: number): string {
  const known = made.get(format) ?? new Intl.DateTimeFormat(undefined, FORMATS[format])
  made.set(format, known)
  return known.format(atMs)
}
