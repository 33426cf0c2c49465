// Owns holding a scripted answer in the middle, so that a test acts at a known point instead of racing.

export interface Gate {
  /** For the `delivery` of a scripted turn. */
  readonly gate: (eventIndex: number) => Promise<void> | void
  /** Lets the rest of the answer through. */
  open(): void
}

/** Holds an answer before its event number `at` (from 0) until it is opened. */
export function holdAt(at: number): Gate {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { gate: (eventIndex) => (eventIndex === at ? opened : undefined), open: () => open() }
}
