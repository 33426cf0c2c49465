// Owns timing and figures of benchmarks: variants run interleaved, so that a busy machine slows them alike.

export interface Variant {
  readonly name: string
  /** Makes ready what `run` needs; not timed. */
  before?(): unknown
  run(): unknown
  /** Cleans up after `run`; not timed. */
  after?(): unknown
}

/** Times of each variant in milliseconds, in the order measured. */
export async function measureInterleaved(variants: readonly Variant[], rounds: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(variants.map(({ name }) => [name, []]))
  const warmUp = Math.max(1, Math.floor(rounds / 10))
  const random = seededRandom()
  for (let round = -warmUp; round < rounds; round++) {
    // Shuffled, so that what one leaves behind (dirty pages, cold caches) falls on all others alike.
    for (const variant of shuffled(variants, random)) {
      await variant.before?.()
      const start = performance.now()
      await variant.run()
      const elapsedMs = performance.now() - start
      await variant.after?.()
      if (round >= 0) times.get(variant.name)?.push(elapsedMs)
    }
  }
  return times
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

/** The same on every run (Park and Miller's generator). */
function seededRandom(): () => number {
  let state = 20_260_101
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** The median of a variant that was measured. */
export function medianOf(times: ReadonlyMap<string, readonly number[]>, name: string): number {
  return median(times.get(name) ?? [])
}

/** The 10th percentile. */
export function tenth(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? Number.NaN
}

/** Rounded to three significant figures. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
