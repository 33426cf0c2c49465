// Owns reading again while another process may be in the middle of a write: what looks torn then is not damage yet.
import type { Clock } from '@common/clock'
import type { DamageReport } from './damage-report'

/** A write by another process is over within a few milliseconds; after so many looks a torn tail is damage. */
const TORN_TAIL_LOOKS = 5
const TORN_TAIL_WAIT_MS = 20

/** The first result without a torn tail, or the one after which nobody writes any more. */
export async function settledRead<T extends { damage: DamageReport }>(
  read: () => Promise<T>,
  { clock, mayBeWritten }: { clock: Pick<Clock, 'sleep'>; mayBeWritten: () => boolean }
): Promise<T> {
  let result = await read()
  for (let looks = 1; looks < TORN_TAIL_LOOKS && hasTornTail(result.damage) && mayBeWritten(); looks++) {
    await clock.sleep(TORN_TAIL_WAIT_MS)
    result = await read()
  }
  return result
}

function hasTornTail(damage: DamageReport): boolean {
  return damage.places.some((place) => place.problem === 'torn-tail')
}
