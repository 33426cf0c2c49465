// Owns noticing the privacy floor on the way from newer rows to older ones (S-3), without a look at anything else: each
// window's head as the walk leaves it, each line inside that resets.
import type { ScannedLine } from '../history/scan-types'
import type { HistoryMoment } from './cursor-place'
import { type FloorFinder, isFloorLine } from './floor-finder'

export class FloorWatch {
  readonly #floors: FloorFinder
  readonly #moment: HistoryMoment
  /** The newest window that the walk has not left. */
  #window: number
  isAtFloor = false

  /** `start` is the window in which the walk begins. */
  constructor(floors: FloorFinder, moment: HistoryMoment, start: number) {
    this.#floors = floors
    this.#moment = moment
    this.#window = start
  }

  /** True when this line is, or lies behind, a floor. `mayReset` says whether it may be one inside its window. */
  isClosed(line: ScannedLine, mayReset: boolean): boolean {
    if (this.hasCrossed(line.window)) return true
    const { files, state } = this.#moment
    const isFloor =
      line.byteOffset === 0 ? this.#floors.head(files, state, line.window).isFloor : mayReset && isFloorLine(line)
    this.isAtFloor ||= isFloor
    return isFloor
  }

  /** True when a floor stands between where the walk was and this window. */
  hasCrossed(window: number): boolean {
    // Nearly every line stands in the window of the line before.
    if (window >= this.#window) return this.isAtFloor
    const { files, state } = this.#moment
    const left = state.windows.filter((each) => each > window && each <= this.#window)
    this.#window = window
    this.isAtFloor ||= left.some((each) => this.#floors.head(files, state, each).isFloor)
    return this.isAtFloor
  }
}
