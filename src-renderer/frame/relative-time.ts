// Owns how long ago something was, in a few characters. Pure.
import { dateText } from '../ui/date-formats'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** `now`, `5m`, `3h`, `2d`, then the date. */
export function relativeTime(atMs: number, nowMs: number): string {
  const ageMs = nowMs - atMs
  if (ageMs < MINUTE_MS) return 'now'
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)}m`
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)}h`
  if (ageMs < 7 * DAY_MS) return `${Math.floor(ageMs / DAY_MS)}d`
  const sameYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear()
  return dateText(sameYear ? 'day' : 'dayAndYear', atMs)
}

/** The whole date and time, for a title. */
export function wholeTime(atMs: number): string {
  return dateText('whole', atMs)
}
