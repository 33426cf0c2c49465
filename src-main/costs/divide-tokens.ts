// Owns dividing a whole number of tokens by weights so that the parts sum to it. Pure.

/** One whole number for each weight, by largest remainder; zeros where no weight is above 0. */
export function divideTokens(total: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  if (all === 0) return weights.map(() => 0)
  const exact = weights.map((weight) => (total * weight) / all)
  const parts = exact.map(Math.floor)
  const left = total - parts.reduce((sum, part) => sum + part, 0)
  const byRest = exact.map((value, at) => ({ at, rest: value - Math.floor(value) })).toSorted((a, b) => b.rest - a.rest)
  const raised = new Set(byRest.slice(0, left).map(({ at }) => at))
  return parts.map((part, at) => (raised.has(at) ? part + 1 : part))
}
