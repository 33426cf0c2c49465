// Owns timing and figures of benchmarks: variants run interleaved, so that a busy machine slows them alike.

export interface Variant {
  readonly name: string
  run(): unknown
}

/** Times of each variant in milliseconds, in the order measured. */
export async function measureInterleaved(variants: readonly Variant[], rounds: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(variants.map(({ name }) => [name, []]))
  const warmUp = Math.max(1, Math.floor(rounds / 10))
  for (let round = -warmUp; round < rounds; round++) {
    // The order turns, so that no variant always runs after the same other one.
    for (let place = 0; place < variants.length; place++) {
      const variant = variants[(place + Math.max(round, 0)) % variants.length]
      if (variant === undefined) continue
      const start = performance.now()
      await variant.run()
      const elapsedMs = performance.now() - start
      if (round >= 0) times.get(variant.name)?.push(elapsedMs)
    }
  }
  return times
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** The 10th percentile. */
export function tenth(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? Number.NaN
}

/** Rounded to three significant figures. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
