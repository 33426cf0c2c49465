// Owns a file system whose n-th call goes wrong, in one of the ways in which a real one does. It also counts.
import { type FileSystem, nodeFileSystem } from '../../files/file-system'

export type FaultMode =
  /** The call does nothing and reports the error; later calls work. */
  | 'refused'
  /** The call does its work and reports an error all the same (a network disk that lost the answer). */
  | 'answer-lost'
  /** A write takes half of its bytes and then reports the error; other calls are refused. */
  | 'half-done'
  /** From this call on nothing happens any more: the process is gone; a write got half of its bytes out. */
  | 'dead'
  /** The disk is gone: this call and all later ones but closing and looking are refused. */
  | 'no-more-writes'

export interface CallRecord {
  readonly name: keyof FileSystem
  /** The file that it was about, also for calls with a descriptor. */
  readonly path: string
  readonly bytes: number
}

export interface ObservedFileSystem {
  readonly fs: FileSystem
  readonly calls: CallRecord[]
  /** Calls of this name on files whose path ends so. */
  count(name: keyof FileSystem, suffix?: string): number
  /** Bytes read from files whose path ends so. */
  bytesRead(suffix: string): number
  /** Paths of the descriptors that are open now. */
  openFiles(): string[]
  /** Arms the fault: `failAt` counts from now, 0 is the next call. */
  arm(fault: { failAt: number; mode: FaultMode; code?: string } | null): void
  /** The call that the fault has struck, null while it has not. */
  struck(): CallRecord | null
}

const HARMLESS: ReadonlySet<keyof FileSystem> = new Set(['close', 'fstat', 'stat', 'read', 'list', 'open'])

export function observeFileSystem(real: FileSystem = nodeFileSystem): ObservedFileSystem {
  const calls: CallRecord[] = []
  const paths = new Map<number, string>()
  let armed: { failAt: number; mode: FaultMode; code: string } | null = null
  let struck: CallRecord | null = null

  const run = (name: keyof FileSystem, args: unknown[], act: (...args: unknown[]) => unknown): unknown => {
    const path = typeof args[0] === 'number' ? (paths.get(args[0]) ?? '') : String(args[0])
    const call = { name, path, bytes: 0 }
    calls.push(call)
    const done = (result: unknown): unknown => {
      if (name === 'open') paths.set(result as number, path)
      if (name === 'close') paths.delete(args[0] as number)
      if (name === 'read' || name === 'write') call.bytes = result as number
      return result
    }
    if (armed === null) return done(act(...args))
    const { mode, code } = armed
    const isNow = armed.failAt-- === 0
    const isLater = armed.failAt < -1
    if (isNow) struck = call
    const error = systemError(code, name, path)
    if ((mode === 'half-done' || mode === 'dead') && isNow && name === 'write') {
      act(args[0], args[1], args[2], Math.floor((args[3] as number) / 2), args[4])
    }
    if (mode === 'dead' && (isNow || isLater)) throw error
    if (mode === 'no-more-writes' && (isNow || (isLater && !HARMLESS.has(name)))) throw error
    if (!isNow) return done(act(...args))
    if (mode !== 'answer-lost') throw error
    const result = act(...args)
    if (!(result instanceof Promise)) done(result)
    // The disk is done first: a caller that gives up its descriptor now must not pull it from under it.
    else
      return result.then(() => {
        throw error
      })
    throw error
  }

  const names = Object.keys(real) as (keyof FileSystem)[]
  const fs = Object.fromEntries(
    names.map((name) => {
      const act = real[name] as (...args: unknown[]) => unknown
      const isAsync = name === 'sync' || name === 'datasync' || name === 'syncFolder' || name === 'copyFile'
      return [
        name,
        isAsync ? async (...args: unknown[]) => run(name, args, act) : (...args: unknown[]) => run(name, args, act)
      ]
    })
  ) as unknown as FileSystem

  return {
    fs,
    calls,
    count: (name, suffix = '') => calls.filter((call) => call.name === name && call.path.endsWith(suffix)).length,
    bytesRead: (suffix) =>
      calls
        .filter((call) => call.name === 'read' && call.path.endsWith(suffix))
        .reduce((sum, call) => sum + call.bytes, 0),
    openFiles: () => [...paths.values()],
    arm(fault) {
      armed = fault === null ? null : { code: 'EIO', ...fault }
      struck = null
    },
    struck: () => struck
  }
}

function systemError(code: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}: made to fail, ${syscall} '${path}'`), { code, syscall, path, errno: -5 })
}
