// Owns when the composer counts down to the end of the window, and its words (U-5). Pure.
import { COUNTDOWN_LEAD_PERCENT } from '@common/constants'
import type { UsageView } from '@common/contract/views'
import type { WindowMarks } from '../context-panel/window-marks'
import { shortLimit } from './composer-texts'

export interface Countdown {
  readonly text: string
  /** The agent is warned by now. */
  readonly isNear: boolean
}

/** `rolls over in 12 % · about 24k tokens`; null while the end is far, and where nothing is known. */
export function countdownOf(
  usage: Pick<UsageView, 'contextTokens'> | null,
  marks: WindowMarks | null,
  busy: boolean
): Countdown | null {
  if (usage === null || marks === null) return null
  const { atEnd, endPoint, maxTokens } = marks
  const near = marks.warningPoint ?? endPoint
  if (usage.contextTokens < near - (maxTokens * COUNTDOWN_LEAD_PERCENT) / 100) return null
  const isNear = usage.contextTokens >= near
  const left = endPoint - usage.contextTokens
  if (left <= 0) return { text: `${atEnd} ${busy ? 'at the next step' : 'with your next message'}`, isNear }
  const percent = Math.floor((left * 100) / maxTokens)
  const share = percent === 0 ? 'less than 1 %' : `${percent} %`
  return { text: `${atEnd} in ${share} · about ${shortLimit(left)} ${left === 1 ? 'token' : 'tokens'}`, isNear }
}
