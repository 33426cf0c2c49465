// Owns how a server's wish to wait is read: headers first, then the body's own fields, then its words.

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/**
 * Milliseconds the server asks to wait, or null when it names none. Knows `retry-after-ms`, `retry-after`
 * in seconds or as a date (measured from the response's own `date`, else from `nowMs`), Google's
 * `"retryDelay": "37s"` and OpenAI's "Please try again in 6m0s". Never negative.
 */
export function retryAfterMsOf(
  headers: Readonly<Record<string, string>>,
  bodyText: string,
  nowMs: number | null
): number | null {
  const wish = fromHeaders(headers, nowMs) ?? fromText(bodyText)
  return wish === null || !Number.isFinite(wish) ? null : Math.max(0, Math.round(wish))
}

function fromHeaders(headers: Readonly<Record<string, string>>, nowMs: number | null): number | null {
  const exact = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (Number.isFinite(exact)) return exact
  const header = headers['retry-after']?.trim()
  if (header === undefined || header === '') return null
  if (/^\d+(\.\d+)?$/.test(header)) return Number.parseFloat(header) * 1_000
  const sentAtMs = Date.parse(headers['date'] ?? '')
  const fromMs = Number.isFinite(sentAtMs) ? sentAtMs : nowMs
  const untilMs = Date.parse(header)
  return fromMs === null || !Number.isFinite(untilMs) ? null : untilMs - fromMs
}

function fromText(text: string): number | null {
  const words =
    /"retryDelay"\s*:\s*"([\d.smh]+)"/.exec(text)?.[1] ??
    /(?:try again|retry) in ((?:[\d.]+(?:ms|s|m|h))+)/i.exec(text)?.[1]
  if (words === undefined) return null
  let totalMs = 0
  for (const [, amount, unit] of words.matchAll(/([\d.]+)(ms|s|m|h)/g))
    totalMs += Number.parseFloat(amount ?? '') * (UNIT_MS[unit ?? ''] ?? Number.NaN)
  return totalMs
}
