// Owns what one call may still read (S-8). One budget is shared by everything that the call reads.

export interface ScanBudget {
  bytesLeft: number
  rowsLeft: number
}

/** Takes at most `wanted` bytes from the budget. */
export function takeBytes(budget: ScanBudget, wanted: number): number {
  const taken = Math.max(0, Math.min(wanted, budget.bytesLeft))
  budget.bytesLeft -= taken
  return taken
}
