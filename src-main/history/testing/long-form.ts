// Owns how much a test tries: a pinned selection in `npm run check` (quick), all of it in `npm test` and wherever
// nothing else is said (full), far more in `npm run test:long` (long). TIDEMARK_TESTS names the form.
const named = process.env['TIDEMARK_TESTS']

export const isQuick = named === 'quick'
export const isLong = named === 'long'

/** The amount for the form in which the tests run: a number of runs, a stride, a list of rounds. */
export function inForm<T>(amounts: { readonly quick: T; readonly full: T; readonly long: T }): T {
  if (isQuick) return amounts.quick
  return isLong ? amounts.long : amounts.full
}
