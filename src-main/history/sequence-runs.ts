// Owns the sequences of a window's lines as runs: a row that is missing can still be named by its number, and
// a window of ten thousand rows takes a few characters. Pure.

/** `[first sequence, lines]` of lines whose sequences rise by one; null first for lines without one. */
export type SequenceRun = readonly [first: number | null, lines: number]

/** The runs with one more line behind them. */
export function addToRuns(runs: SequenceRun[], sequence: number | null): void {
  const last = runs.at(-1)
  if (last !== undefined && continues(last, sequence)) runs[runs.length - 1] = [last[0], last[1] + 1]
  else runs.push([sequence, 1])
}

/** The sequence of the line with this index; null when it has none or there is no such line. */
export function sequenceAt(runs: readonly SequenceRun[], index: number): number | null {
  let before = 0
  for (const [first, lines] of runs) {
    if (index < before + lines) return first === null ? null : first + index - before
    before += lines
  }
  return null
}

function continues([first, lines]: SequenceRun, sequence: number | null): boolean {
  return first === null ? sequence === null : sequence === first + lines
}
