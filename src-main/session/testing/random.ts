// Owns chance that a test can repeat.

/** Mulberry32: numbers from 0 to below 1, the same for the same seed on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Lets whatever is under way go on for so many turns of the event loop. */
export async function afterTicks(ticks: number): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) await new Promise((resolve) => setImmediate(resolve))
}
