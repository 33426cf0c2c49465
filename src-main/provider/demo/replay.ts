// Owns running a plan against what is settled already: the plan starts over for each request and is fed the
// results in sight, until it wants a call that has none. So the demo keeps no state between requests.
import { createHash } from 'node:crypto'
import type { DemoCall, DemoPlan, DemoResult } from './demo-call'
import type { SettledCall } from './read-conversation'

export interface DemoMove {
  readonly think: string
  readonly text: string
  /** Empty: the text is the answer. */
  readonly calls: readonly DemoCall[]
}

/** A plan never needs as many; a host that hands results back in a changed form must not loop for ever. */
export const MAX_CALLS_PER_TURN = 60

/** The next move of `plan`. Calls of tools that are not offered are answered as absent, never made. */
export function replay(plan: DemoPlan, settled: readonly SettledCall[], offered: ReadonlySet<string>): DemoMove {
  const left = [...settled]
  let step = plan.next([])
  while (step.done !== true) {
    const { think, say, calls } = step.value
    const results = calls.map((call) => (offered.has(call.toolName) ? takeResult(left, call) : ABSENT))
    const missing = calls.filter((_call, index) => results[index] === null)
    if (missing.length > 0) {
      return settled.length >= MAX_CALLS_PER_TURN
        ? { think: '', text: 'I stop here: this takes more steps than the demo makes for one request.', calls: [] }
        : { think, text: say, calls: missing }
    }
    step = plan.next(results.flatMap((result) => result ?? []))
  }
  return { think: '', text: step.value, calls: [] }
}

/** A mark of the call in its id, so that it is found again when the host shortened its input. */
export function callMark(call: DemoCall): string {
  return createHash('sha256').update(stableJson(call)).digest('hex').slice(0, 12)
}

const ABSENT: DemoResult = { kind: 'absent' }

/** Takes the first settled call that is this one out of `left`; null when there is none. */
function takeResult(left: SettledCall[], call: DemoCall): DemoResult | null {
  const mark = callMark(call)
  const index = left.findIndex((item) => item.toolCallId.includes(mark) || callMark(item.call) === mark)
  return index === -1 ? null : (left.splice(index, 1)[0]?.result ?? null)
}

/** JSON with sorted keys and without nulls: hosts may add optional fields as null. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const entries = Object.entries(inner).filter(([, field]) => field !== null && field !== undefined)
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
