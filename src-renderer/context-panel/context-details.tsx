// Owns what opens at the meter (U-6): what the request is made of, cost and cache, and the threshold of this model.
import type { ReactNode } from 'react'
import type { UsageView, WorkspaceView } from '@common/contract/views'
import { Button } from '../ui/button'
import { MarkLegend } from './context-bar'
import { cacheShareOf, workspaceCostText } from './context-texts'
import { marksText } from './threshold-texts'
import { ThresholdSlider } from './threshold-slider'
import type { ModelThreshold } from './use-threshold'
import type { WindowMarks } from './window-marks'

export interface ContextDetailsProps {
  readonly sections: ReactNode
  readonly usage: UsageView | null
  readonly workspace: WorkspaceView
  readonly marks: WindowMarks | null
  readonly threshold: ModelThreshold
  /** Windows roll over; without it they are compacted. */
  readonly isTokenBudget: boolean
  /** It is on because this is the demo model. */
  readonly isOnForDemo: boolean
  readonly defaultText: string
  readonly onExperiments: () => void
}

export function ContextDetails(props: ContextDetailsProps) {
  const { usage, workspace, marks, threshold } = props
  const cost = workspaceCostText(workspace)
  const cacheShare = usage === null ? null : cacheShareOf(usage)
  return (
    <div className="flex flex-col gap-3">
      {props.sections}
      {(cost !== null || cacheShare !== null) && (
        <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5 border-t border-line pt-3 text-small tabular-nums">
          {cost !== null && <Fact name="Cost of this workspace">{cost}</Fact>}
          {cacheShare !== null && <Fact name="From the cache, last request">{cacheShare} %</Fact>}
        </dl>
      )}
      {marks !== null && (
        <div className="flex flex-col gap-2 border-t border-line pt-3">
          <ThresholdSlider
            label="Threshold of this model"
            testId="threshold-slider"
            threshold={threshold.threshold}
            onPreview={threshold.preview}
            onCommit={threshold.commit}
          />
          <p className="text-small text-quiet">{marksText(marks)}</p>
          <MarkLegend marks={marks} />
          {threshold.isOwn && (
            <Button small className="self-start" onClick={threshold.reset}>
              Use the default, {props.defaultText}
            </Button>
          )}
          {props.isOnForDemo && (
            <p className="text-small text-quiet">
              Token-budget windows are on here, as in every workspace on the demo model.
            </p>
          )}
          {!props.isTokenBudget && (
            <Button small className="self-start" onClick={props.onExperiments}>
              Roll over instead
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd className="text-right">{children}</dd>
    </>
  )
}
