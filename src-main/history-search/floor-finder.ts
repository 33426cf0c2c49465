// Owns where the privacy floor of a workspace lies (S-3): the newest reset that a person made, at the head of a window
// or, in files that others wrote, inside one. What it found out about a file holds until the file's state changes.
import { MAX_LINE_BYTES } from '@common/constants'
import { boundaryNatureOf } from '@common/rows/rollover-row'
import { type FileStamp, sameFile, sameStamp } from '../files/file-system'
import type { HistoryFiles } from '../history/history-files'
import type { HistoryReader } from '../history/history-reader'
import type { HistoryState } from '../history/history-state'
import { parseJsonLine } from '../history/parse-line'
import { scanBounded } from '../history/scan-bounded'
import type { ScannedLine } from '../history/scan-types'
import { windowPath } from '../history/window-files'
import { type ByteFilter, createByteFilter } from './byte-filter'
import { exactPattern } from './byte-pattern'
import { evidenceOf, readWindowHead, type WindowHead } from './window-head'

/** Every boundary has it, in the spelling of every program that writes JSON without need for escapes. */
export const BOUNDARY_NEEDLE = exactPattern('"contextBoundaryKind"')

/** One turn of the look into a large file: a few milliseconds. */
const TURN_BYTES = 4_194_304

interface Facts {
  readonly stamp: FileStamp
  readonly epoch: string
  readonly head: WindowHead
  /** Bytes from the beginning that were looked at for a floor inside, perhaps up to the middle of a long line. */
  readonly checkedTo: number
  readonly isInLongLine: boolean
  /** Where the newest floor inside begins; null when there is none so far. */
  readonly innerFloor: number | null
}

export class FloorFinder {
  readonly #facts = new Map<number, Facts>()

  /** How the window began. Throws the system's error, as all of this. */
  head(files: HistoryFiles, state: HistoryState, window: number): WindowHead {
    return this.#factsOf(files, state, window).head
  }

  /** Where the newest floor inside this window begins, null when there is none. Reads what was not looked at yet. */
  innerFloor(files: HistoryFiles, state: HistoryState, window: number): number | null {
    let facts = this.#factsOf(files, state, window)
    while (facts.checkedTo < facts.stamp.size) facts = this.#look(files, state, window)
    return facts.innerFloor
  }

  /** True when a floor stands in a window newer than this one: an agent may not look into it at all. */
  isClosed(files: HistoryFiles, state: HistoryState, window: number): boolean {
    const newer = state.windows.filter((each) => each > window).toReversed()
    return newer.some((each) => this.head(files, state, each).isFloor || this.innerFloor(files, state, each) !== null)
  }

  /** True when an agent may see what stands at this place. */
  isOpen(files: HistoryFiles, state: HistoryState, window: number, byteOffset: number): boolean {
    if (this.isClosed(files, state, window)) return false
    const inner = this.innerFloor(files, state, window)
    return inner === null || byteOffset > inner
  }

  /** As `isClosed`, for what began before `window` and was open then: tracked appends bring floors as new files only. */
  isClosedSince(files: HistoryFiles, state: HistoryState, window: number): boolean {
    return state.windows.some((newer) => newer > window && this.head(files, state, newer).isFloor)
  }

  /**
   * Looks into these windows in short turns, each a read of its own, so that `innerFloor` and `isClosed` need not:
   * the first time in a process it takes about 0.3 s a gigabyte. Answers false when the history cannot be read.
   */
  async prepare(reader: HistoryReader, choose: (windows: readonly number[]) => readonly number[]): Promise<boolean> {
    const isOpen = (files: HistoryFiles, state: HistoryState, window: number): boolean => {
      const { checkedTo, stamp } = this.#factsOf(files, state, window)
      return checkedTo < stamp.size
    }
    const chosen = await reader.read((files, state) =>
      choose(state.windows).filter((window) => isOpen(files, state, window))
    )
    if (!chosen.ok) return false
    for (const window of chosen.value) {
      for (let isDone = false; !isDone;) {
        const turn = await reader.read((files, state) => {
          if (isOpen(files, state, window)) this.#look(files, state, window)
          return !isOpen(files, state, window)
        })
        if (!turn.ok) return false
        isDone = turn.value
      }
    }
    return true
  }

  #factsOf(files: HistoryFiles, state: HistoryState, window: number): Facts {
    const known = this.#facts.get(window)
    const isCurrent = state.current?.window === window
    const stamp = isCurrent ? state.current.stamp : files.fs.stat(windowPath(files, window))
    if (known !== undefined && stamp !== null) {
      if (sameStamp(known.stamp, stamp)) return known
      // It only grew: what was found in it still stands there.
      const isGrown = isCurrent && known.epoch === state.epoch && sameFile(known.stamp, stamp)
      if (isGrown && stamp.size >= known.stamp.size) return this.#keep(window, { ...known, stamp })
    }
    const head = readWindowHead(files, window)
    const facts = {
      stamp: stamp ?? NO_FILE,
      epoch: state.epoch,
      head,
      checkedTo: 0,
      isInLongLine: false,
      innerFloor: null
    }
    return this.#keep(window, facts)
  }

  #keep(window: number, facts: Facts): Facts {
    this.#facts.set(window, facts)
    return facts
  }

  /** One turn of the look. */
  #look(files: HistoryFiles, state: HistoryState, window: number): Facts {
    const facts = this.#factsOf(files, state, window)
    const filter = boundaryFilter()
    let innerFloor = facts.innerFloor
    const { cursor } = scanBounded(
      files,
      {
        direction: 'forward',
        startCursor: { window, byteOffset: facts.checkedTo, isInLongLine: facts.isInLongLine },
        maxBytes: TURN_BYTES,
        maxRows: Number.MAX_SAFE_INTEGER,
        maxLineBytes: MAX_LINE_BYTES
      },
      {
        line(line) {
          if (line.byteOffset > 0 && filter.find(line.start, line.end, 1) !== 0 && isFloorLine(line))
            innerFloor = line.byteOffset
          return 'go-on'
        }
      },
      { windows: [window], epoch: state.epoch, carry: null, buffer: filter.buffer }
    )
    const checkedTo = cursor === null ? facts.stamp.size : Math.min(cursor.byteOffset, facts.stamp.size)
    const isInLongLine = cursor?.isInLongLine ?? false
    return this.#keep(window, { ...facts, checkedTo, isInLongLine, innerFloor })
  }
}

let shared: ByteFilter | null = null

/** Looks are synchronous, so that one filter serves all. */
function boundaryFilter(): ByteFilter {
  if (shared === null) {
    shared = createByteFilter()
    shared.setPatterns([BOUNDARY_NEEDLE])
  }
  return shared
}

/** True when a line that is not its window's first resets all the same: by its metadata, or damaged, by its needles. */
export function isFloorLine({ buffer, start, end }: ScannedLine): boolean {
  const line = buffer.toString('utf8', start, end)
  const value = parseJsonLine(line)
  return value === undefined ? evidenceOf(line) === 'reset' : boundaryNatureOf(value) === 'manual'
}

const NO_FILE: FileStamp = {
  device: 0n,
  inode: 0n,
  size: 0,
  mtimeNs: 0n,
  ctimeNs: 0n,
  links: 0,
  mode: 0,
  isFolder: false
}
