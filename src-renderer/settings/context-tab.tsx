// Owns the tab of the context (U-10): what happens when a window fills, from where on, and what happens to a quiet one.
import type { Settings } from '@common/settings/settings-schema'
import { TOKEN_BUDGET } from '@common/budget/budget-mode'
import { MAX_IDLE_COMPACTION_HOURS, USUAL_IDLE_COMPACTION_HOURS } from '@common/constants'
import { ThresholdSlider } from '../context-panel/threshold-slider'
import { percentOfThreshold, thresholdText } from '../context-panel/threshold-texts'
import { Button } from '../ui/button'
import { Slider } from '../ui/slider'
import { Switch } from '../ui/switch'
import { fullWindowText, hoursText } from './context-texts'
import { SettingBlock } from './setting-block'

export interface ContextTabProps {
  readonly settings: Pick<Settings, 'autoThreshold' | 'modelThresholds' | 'idleCompactionHours' | 'experiments'>
  /** While a slider is moved: nothing is stored yet. */
  readonly onPreview: (moved: Partial<Pick<Settings, 'autoThreshold' | 'idleCompactionHours'>>) => void
  readonly onThreshold: (threshold: number) => void
  /** The model takes the threshold of every model again. */
  readonly onDefaultThreshold: (modelRef: string) => void
  /** 0 is off. */
  readonly onIdleHours: (hours: number) => void
  readonly onExperiments: () => void
}

export function ContextTab({ settings, onPreview, onThreshold, ...props }: ContextTabProps) {
  const { autoThreshold, experiments } = settings
  return (
    <div className="flex flex-col gap-6">
      <SettingBlock
        title="When a window is full"
        text={fullWindowText(autoThreshold, experiments[TOKEN_BUDGET] === true)}
      >
        <div>
          <Button small onClick={props.onExperiments}>
            Change it in Experiments
          </Button>
        </div>
      </SettingBlock>
      <section aria-label="Threshold" className="flex flex-col gap-3">
        <ThresholdSlider
          label="Threshold of every model"
          testId="default-threshold"
          threshold={autoThreshold}
          onPreview={(moved) => onPreview({ autoThreshold: moved })}
          onCommit={onThreshold}
        >
          <p className="pt-2 text-small text-quiet">
            A window counts as full 5 points after it. Each model can have its own: at the meter, or in Models.
          </p>
        </ThresholdSlider>
        <OwnThresholds thresholds={settings.modelThresholds} onDefault={props.onDefaultThreshold} />
      </section>
      <IdleCompaction
        hours={settings.idleCompactionHours}
        onPreview={(idleCompactionHours) => onPreview({ idleCompactionHours })}
        onHours={props.onIdleHours}
      />
      <p className="text-small text-quiet">
        A change counts from the next message. /compact summarises a window at any time, in either case.
      </p>
    </div>
  )
}

interface OwnThresholdsProps {
  readonly thresholds: Settings['modelThresholds']
  readonly onDefault: (modelRef: string) => void
}

function OwnThresholds({ thresholds, onDefault }: OwnThresholdsProps) {
  const own = Object.entries(thresholds)
  if (own.length === 0) return null
  return (
    <ul aria-label="Models with their own threshold" className="flex flex-col rounded-regular border border-line">
      {own.map(([modelRef, threshold]) => (
        <li
          key={modelRef}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line px-3 py-1.5 text-small not-first:border-t"
        >
          <span className="min-w-0 flex-1 basis-40 wrap-anywhere">{modelRef}</span>
          <span className="tabular-nums">{thresholdText(percentOfThreshold(threshold))}</span>
          <Button small aria-label={`Use the default for ${modelRef}`} onClick={() => onDefault(modelRef)}>
            Use the default
          </Button>
        </li>
      ))}
    </ul>
  )
}

interface IdleCompactionProps {
  readonly hours: number
  readonly onPreview: (hours: number) => void
  readonly onHours: (hours: number) => void
}

function IdleCompaction({ hours, onPreview, onHours }: IdleCompactionProps) {
  return (
    <section aria-label="Quiet windows" className="flex flex-col gap-2">
      <Switch
        label="Summarise a window that was quiet for long"
        hint="You come back to a short window. It costs one request to the model of each open workspace, once, until something new happens there. Nothing is done while something runs or waits there, while a message is half written, or where less than a tenth of a window is used."
        checked={hours > 0}
        onChange={(on) => onHours(on ? USUAL_IDLE_COMPACTION_HOURS : 0)}
        testId="idle-compaction"
      />
      {hours > 0 && (
        <div className="flex flex-col">
          <div className="flex items-baseline justify-between gap-3 text-small">
            <span>After</span>
            <span className="font-medium tabular-nums">{hoursText(hours)}</span>
          </div>
          <Slider
            label="Hours until a quiet window is summarised"
            testId="idle-hours"
            value={hours}
            min={1}
            max={MAX_IDLE_COMPACTION_HOURS}
            step={1}
            valueText={hoursText(hours)}
            onChange={onPreview}
            onCommit={onHours}
          />
          <div aria-hidden className="flex justify-between text-micro text-quiet">
            <span>{hoursText(1)}</span>
            <span>{hoursText(MAX_IDLE_COMPACTION_HOURS)}</span>
          </div>
        </div>
      )}
    </section>
  )
}
