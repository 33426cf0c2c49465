// Owns how numbers read: durations, costs, tokens, bytes, times. Pure; tabular digits are the style sheet's.
import { dateText } from './date-formats'

/** A span of time: `0.4 s`, `42 s`, `2 min 05 s`, `1 h 03 min`. */
export function durationText(durationMs: number): string {
  const seconds = Math.max(0, durationMs) / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${twoDigits(whole % 60)} s`
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
}

/** Time that runs on screen: whole seconds, so that it changes once a second. */
export function elapsedText(elapsedMs: number): string {
  const seconds = Math.max(0, Math.floor(elapsedMs / 1_000))
  return seconds < 60 ? `${seconds} s` : durationText(seconds * 1_000)
}

/** An amount of money: cents once it is worth them, else the first digits that say something. */
export function costText(costUsd: number): string {
  if (costUsd <= 0) return '$0'
  if (costUsd < 0.0001) return '<$0.0001'
  if (costUsd < 0.01) return `$${costUsd.toFixed(4)}`
  return `$${costUsd.toFixed(2)}`
}

/** A count of tokens: `950`, `18.2k`, `182k`, `1.2M`. */
export function tokensText(tokens: number): string {
  return scaled(tokens, 1_000, ['', 'k', 'M'])
}

/** A size: `512 B`, `1.4 KB`, `32 MB`. */
export function bytesText(bytes: number): string {
  return scaled(bytes, 1_024, [' B', ' KB', ' MB', ' GB'])
}

/** `1 line`, `2 lines`: the count with grouped digits and its noun. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
}

/** The time of day for today, else the day and the time. */
export function timeText(timestampMs: number, nowMs: number): string {
  const time = dateText('time', timestampMs)
  const sameDay = new Date(timestampMs).toDateString() === new Date(nowMs).toDateString()
  return sameDay ? time : `${dateText('day', timestampMs)}, ${time}`
}

function scaled(value: number, step: number, units: readonly string[]): string {
  let rest = value
  let unit = 0
  // 999.95 would round to four digits: it belongs to the next unit.
  while (unit < units.length - 1 && rest >= step - (unit === 0 ? 0 : step * 0.0005)) {
    rest /= step
    unit += 1
  }
  const digits = unit === 0 || rest >= 99.95 ? Math.round(rest).toString() : rest.toFixed(1).replace(/\.0$/, '')
  return `${digits}${units[unit] ?? ''}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
