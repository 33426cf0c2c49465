// Owns buffers to read files into. A plain large Buffer is aligned so that copies into it run at a quarter
// of the speed on some processors (measured, Zen 3); this offset cures it.

const PAGE_BYTES = 4_096
/** Header of an allocation plus this is a multiple of 64 off the page: measured, not derived. */
const OFFSET_BYTES = 4_032

export function allocateScanBuffer(bytes: number): Buffer {
  return Buffer.allocUnsafeSlow(bytes + PAGE_BYTES).subarray(OFFSET_BYTES, OFFSET_BYTES + bytes)
}
