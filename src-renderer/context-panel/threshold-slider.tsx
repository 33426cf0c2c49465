// Owns the slider of a threshold: 20 % to 95 % in steps of 5, and off.
import type { ReactNode } from 'react'
import { MIN_THRESHOLD_PERCENT, THRESHOLD_STEP_PERCENT } from '@common/constants'
import { Slider } from '../ui/slider'
import { OFF_PERCENT, percentOfThreshold, thresholdOfPercent, thresholdText } from './threshold-texts'

export interface ThresholdSliderProps {
  readonly label: string
  /** Share of the limit; 1 or more is off. */
  readonly threshold: number
  /** Each value that the slider passes: what depends on it may move along. */
  readonly onPreview: (threshold: number) => void
  readonly onCommit: (threshold: number) => void
  readonly testId: string
  /** What the threshold comes to. */
  readonly children?: ReactNode
}

export function ThresholdSlider(props: ThresholdSliderProps) {
  const percent = percentOfThreshold(props.threshold)
  return (
    <div className="flex flex-col">
      <div className="flex items-baseline justify-between gap-3 text-small">
        <span>{props.label}</span>
        <span className="font-medium tabular-nums">{thresholdText(percent)}</span>
      </div>
      <Slider
        label={props.label}
        testId={props.testId}
        value={percent}
        min={MIN_THRESHOLD_PERCENT}
        max={OFF_PERCENT}
        step={THRESHOLD_STEP_PERCENT}
        valueText={thresholdText(percent)}
        onChange={(next) => props.onPreview(thresholdOfPercent(next))}
        onCommit={(next) => props.onCommit(thresholdOfPercent(next))}
      />
      <div aria-hidden className="flex justify-between text-micro text-quiet tabular-nums">
        <span>{MIN_THRESHOLD_PERCENT} %</span>
        <span>off</span>
      </div>
      {props.children}
    </div>
  )
}
