// What bench/support/bare/preload.cjs gives a page.

export interface BareBridge {
  painted(): void
  invoke(...args: readonly unknown[]): Promise<unknown>
  onMessage(listener: (message: unknown) => void): void
}

export function bare(): BareBridge {
  return (globalThis as unknown as { bare: BareBridge }).bare
}
