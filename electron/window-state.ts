// Owns where the window was: reads it from config.json before anything else is loaded, so that the
// window opens at once, and keeps it on a screen that is there. Saving goes through the settings.
import { readFileSync } from 'node:fs'
import { WindowState } from '@common/settings/settings-schema'

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const DEFAULT_SIZE = { width: 1280, height: 840 }
/** Below this the layout for narrow windows has no room left. */
export const MINIMUM_SIZE = { width: 375, height: 480 }
/** So much of the window must be on a screen that it can be grabbed. */
const GRABBABLE = 64

/** The stored state; the default where there is none or it can't be read. */
export function readWindowState(configPath: string): WindowState {
  try {
    const config: unknown = JSON.parse(readFileSync(configPath, 'utf8'))
    const stored = WindowState.safeParse((config as { window?: unknown } | null)?.window)
    return stored.success ? stored.data : DEFAULT_SIZE
  } catch {
    // No file yet, or a damaged one: the settings store reports that, the window opens all the same.
    return DEFAULT_SIZE
  }
}

/** Fits a stored state to the screens: no larger than the largest, and no position off all of them. */
export function fitToScreens(state: WindowState, screens: readonly Area[]): WindowState {
  const width = clamp(state.width, MINIMUM_SIZE.width, Math.max(...screens.map((screen) => screen.width)))
  const height = clamp(state.height, MINIMUM_SIZE.height, Math.max(...screens.map((screen) => screen.height)))
  const { x, y, ...rest } = state
  if (x === undefined || y === undefined) return { ...rest, width, height }
  const reachable = screens.some(
    (screen) =>
      x + width > screen.x + GRABBABLE &&
      x < screen.x + screen.width - GRABBABLE &&
      y >= screen.y &&
      y < screen.y + screen.height - GRABBABLE
  )
  return reachable ? { ...rest, x, y, width, height } : { ...rest, width, height }
}

function clamp(value: number, minimum: number, maximum: number): number {
  return Math.max(minimum, Math.min(value, Math.max(minimum, maximum)))
}
