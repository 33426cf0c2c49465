// Owns the projection of a send (E-3): what the provider measured last in this window, and all that came since.
// Where nothing was measured the window itself is counted, so that a restart changes no decision.
import { projectedTokens, rowsSince } from '@common/budget/usage-ledger'
import type { BeforeSend } from './context-strategy'

/** Tokens that a send into the window in force will hold; null where the limit is unknown or an encoder failed. */
export async function projectSend(moment: BeforeSend): Promise<number | null> {
  const { points, windowRows, company, input, ledger } = moment
  if (points === null) return null
  const added = input === null ? company : [...company, input]
  const measured = projectedTokens(ledger)
  if (measured !== null) {
    const tokens = await moment.countRows([...rowsSince(ledger, windowRows), ...added])
    return tokens === null ? null : measured + tokens
  }
  const request = await moment.prepare([...windowRows, ...added])
  if (request.kind === 'rejected') return request.estimate
  // A token is at least a byte: where even the bytes stay below every point, no count is needed.
  const lowest = points.warningPoint ?? points.rolloverPoint ?? points.hardCeiling
  return request.counted || request.tokensAtMost < lowest ? request.tokensAtMost : moment.count(request)
}
