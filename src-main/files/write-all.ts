// Owns writing a whole buffer: a file system may take less than it was given.
import type { FileSystem } from './file-system'

/** Writes all bytes, with one call where the system takes them at once; throws the system's error. */
export function writeAll(fs: FileSystem, descriptor: number, bytes: Uint8Array, position: number | null = null): void {
  let written = 0
  while (written < bytes.length) {
    const at = position === null ? null : position + written
    const count = fs.write(descriptor, bytes, written, bytes.length - written, at)
    if (count === 0) throw Object.assign(new Error('The system took no bytes.'), { code: 'EIO', syscall: 'write' })
    written += count
  }
}
