// Owns the words around a threshold, and the slider's scale: per cent of the limit, with *off* past its end. Pure.
import { MAX_THRESHOLD_PERCENT, THRESHOLD_STEP_PERCENT } from '@common/constants'
import { percentOf, type WindowMarks } from './window-marks'

/** The place of *off* on the slider, in per cent. */
export const OFF_PERCENT = MAX_THRESHOLD_PERCENT + THRESHOLD_STEP_PERCENT

/** A threshold (a share of the limit, 1 or more is off) as a place on the slider. */
export function percentOfThreshold(threshold: number): number {
  return Math.min(OFF_PERCENT, Math.round(threshold * 100))
}

/** A place on the slider as a threshold. */
export function thresholdOfPercent(percent: number): number {
  return percent >= OFF_PERCENT ? 1 : percent / 100
}

/** `70 %`, or `off`. */
export function thresholdText(percent: number): string {
  return percent >= OFF_PERCENT ? 'off' : `${percent} %`
}

/** `rolls over at 75 %`: what happens at the end of the window, and where. */
export function endText(marks: WindowMarks): string {
  return `${marks.atEnd} at ${percentOf(marks.endPoint, marks)} %`
}

/** What a threshold comes to, in one sentence. */
export function marksText(marks: WindowMarks): string {
  const { atEnd, warningPoint } = marks
  switch (atEnd) {
    case 'stops':
      return `Nothing is done before the end: the window ${endText(marks)}.`
    case 'compacts':
      return `The window ${endText(marks)}: a model writes a summary, and the work goes on from it.`
    case 'rolls over':
      return warningPoint === null
        ? `The window ${endText(marks)}.`
        : `The agent is asked for its notes at ${percentOf(warningPoint, marks)} %, then the window ${endText(marks)}.`
  }
}
