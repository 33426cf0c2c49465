// Owns how room is shared among texts that do not all fit (K-3): the short ones whole, the long ones alike. Pure.

/** What each gets of `room`, in characters; never more than it wants, and all of the room while anybody wants more. */
export function fairShares(wants: readonly number[], room: number): number[] {
  const shares = wants.map(() => 0)
  const shortestFirst = [...wants.entries()].toSorted(([, a], [, b]) => a - b)
  let left = Math.max(0, room)
  for (const [place, [index, want]] of shortestFirst.entries()) {
    const share = Math.min(want, Math.floor(left / (shortestFirst.length - place)))
    shares[index] = share
    left -= share
  }
  return shares
}
