// Owns which form of a test runs: the short one, or the long one of `npm run test:long`.
import { vi } from 'vitest'

export const isLong = process.env['TIDEMARK_LONG'] === '1'

/** Tests here wait for disks and processes; a busy machine makes them slow, not wrong. */
vi.setConfig({ testTimeout: isLong ? 900_000 : 30_000 })
