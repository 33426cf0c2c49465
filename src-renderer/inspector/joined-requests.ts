// Owns joining the newest page of requests to those that are known. Pure.
import type { InspectedRequest } from '@common/contract/inspector-views'

/** Newest first; null where requests between the two are missing, so that the page stands alone. */
export function joinedRequests(
  page: readonly InspectedRequest[],
  known: readonly InspectedRequest[]
): readonly InspectedRequest[] | null {
  const oldest = page.at(-1)
  const [newestKnown] = known
  if (oldest === undefined || newestKnown === undefined) return null
  if (oldest.requestSequence > newestKnown.requestSequence) return null
  return [...page, ...known.filter(({ requestSequence }) => requestSequence < oldest.requestSequence)]
}
