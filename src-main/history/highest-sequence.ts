// Owns finding the highest sequence in stored bytes when no receipt can be trusted. It may answer too high
// (a tool's output can hold the same words), which leaves a gap; it never answers too low.
import { setImmediate } from 'node:timers/promises'
import { SCAN_STEP_BYTES } from '@common/constants'
import type { FileSystem } from '../files/file-system'
import { openIfThere } from '../files/open-if-there'
import { allocateScanBuffer } from './scan-buffer'

/** Longer than the needle and fifteen digits: what is carried over a step's border. */
const OVERLAP_BYTES = 64
/** A damaged or hostile number must leave room to count on. */
const MAX_BELIEVED = 2 ** 52
/** Others get their turn after so many steps (4 MiB, a few milliseconds). */
const STEPS_A_TURN = 16

/** Highest `"historySequence":N` at or after byte `from`, 0 for none or no file. Throws the system's error. */
export async function highestSequenceIn(fs: FileSystem, path: string, from = 0): Promise<number> {
  const descriptor = openIfThere(fs, path)
  if (descriptor === null) return 0
  try {
    const buffer = allocateScanBuffer(SCAN_STEP_BYTES + OVERLAP_BYTES)
    let highest = 0
    let held = 0
    for (let at = from, step = 1; ; step++) {
      const count = fs.read(descriptor, buffer, held, SCAN_STEP_BYTES, at)
      if (count === 0) return highest
      at += count
      const end = held + count
      highest = Math.max(highest, highestIn(buffer.toString('latin1', 0, end)))
      held = Math.min(OVERLAP_BYTES, end)
      buffer.copyWithin(0, end - held, end)
      if (step % STEPS_A_TURN === 0) await setImmediate()
    }
  } finally {
    fs.close(descriptor)
  }
}

function highestIn(text: string): number {
  let highest = 0
  for (const match of text.matchAll(/"historySequence"\s{0,8}:\s{0,8}(\d{1,16})/g)) {
    const sequence = Number(match[1])
    if (sequence > highest && sequence <= MAX_BELIEVED) highest = sequence
  }
  return highest
}
