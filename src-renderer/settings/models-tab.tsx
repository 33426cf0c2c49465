// Owns the models' tab: the model of new workspaces, and a limit for a model whose own is unknown or wrong.
import { useMemo, useState } from 'react'
import { groupModels, modelLabel, shortLimit } from '../composer/composer-texts'
import { ModelPicker } from '../composer/model-picker'
import { ThresholdSlider } from '../context-panel/threshold-slider'
import { marksText } from '../context-panel/threshold-texts'
import { useModelThreshold } from '../context-panel/use-threshold'
import { windowMarksOf } from '../context-panel/window-marks'
import { changeSetting, saveProvider } from '../store/actions/provider-actions'
import { openDialog } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { modelOf, selectedWorkspace } from '../store/selectors'
import { Button } from '../ui/button'
import { TextField } from '../ui/text-field'
import { inputWithLimit, limitOf } from './provider-form'
import { SettingBlock } from './setting-block'

export function ModelsTab() {
  const app = useApp()
  const defaultModel = useAppState((state) => state.settings.defaultModel)
  const openModel = useAppState((state) => selectedWorkspace(state)?.model ?? defaultModel)
  const [limited, setLimited] = useState(openModel)
  return (
    <div className="flex flex-col gap-6">
      <SettingBlock title="Model of new workspaces" text="Each workspace can use another one.">
        <Picker chosen={defaultModel} onChoose={(ref) => void changeSetting(app, 'defaultModel', ref)} />
      </SettingBlock>
      <SettingBlock
        title="Limit and threshold of a model"
        text="A limit is only needed where it is unknown, or where your server allows less than the model could take."
      >
        <Picker chosen={limited} onChoose={setLimited} />
        <LimitField key={limited} modelRef={limited} />
        <Threshold modelRef={limited} />
      </SettingBlock>
    </div>
  )
}

function Picker({ chosen, onChoose }: { readonly chosen: string; readonly onChoose: (modelRef: string) => void }) {
  const app = useApp()
  const models = useAppState((state) => state.models)
  const providers = useAppState((state) => state.providers)
  const model = useAppState((state) => modelOf(state, chosen))
  const [open, setOpen] = useState(false)
  const groups = useMemo(() => (models === null ? null : groupModels(models, providers ?? [])), [models, providers])
  return (
    <div className="flex">
      <ModelPicker
        framed
        label={modelLabel(model, chosen)}
        chosen={chosen}
        groups={groups}
        open={open}
        onOpenChange={setOpen}
        onChoose={onChoose}
        onManage={() => openDialog(app, { kind: 'settings', tab: 'providers' })}
      />
    </div>
  )
}

function LimitField({ modelRef }: { readonly modelRef: string }) {
  const app = useApp()
  const model = useAppState((state) => modelOf(state, modelRef))
  const provider = useAppState((state) => state.providers?.find((each) => each.id === model?.providerId) ?? null)
  const override = provider?.models.find((each) => each.id === model?.modelId)?.contextLimit
  const [text, setText] = useState(override === undefined ? '' : String(override))
  const [outcome, setOutcome] = useState<string | null>(null)
  if (model === null || provider === null) return null
  if (provider.kind === 'demo') return <p className="text-small text-quiet">The demo model always has 24k tokens.</p>
  const limit = limitOf(text)
  const save = async (next: number | null) => {
    const failure = await saveProvider(app, inputWithLimit(provider, model.modelId, next))
    setOutcome(failure ?? (next === null ? 'The known limit is used again.' : 'Saved.'))
    if (next === null && failure === null) setText('')
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="Limit in tokens"
          inputMode="numeric"
          placeholder={model.contextLimit === null ? 'Unknown' : String(model.contextLimit)}
          hint={override === undefined ? knownText(model.contextLimit) : 'Set by you.'}
          error={text !== '' && limit === null ? 'Enter a whole number of tokens.' : null}
          value={text}
          onChange={setText}
          className="w-48"
        />
        <Button disabled={limit === null || limit === override} onClick={() => void save(limit)} className="mb-6.5">
          Save limit
        </Button>
        {override !== undefined && (
          <Button kind="quiet" onClick={() => void save(null)} className="mb-6.5">
            Use the known limit
          </Button>
        )}
      </div>
      <p role="status" className="text-small text-quiet">
        {outcome}
      </p>
    </div>
  )
}

/** When a window of this model is handled: the same slider as at the meter. */
function Threshold({ modelRef }: { readonly modelRef: string }) {
  const threshold = useModelThreshold(modelRef)
  const model = useAppState((state) => modelOf(state, modelRef))
  const marks = windowMarksOf(model, threshold.settings)
  if (marks === null) return null
  return (
    <div className="flex flex-col gap-2">
      <ThresholdSlider
        label="Threshold of this model"
        testId="model-threshold"
        threshold={threshold.threshold}
        onPreview={threshold.preview}
        onCommit={threshold.commit}
      />
      <p className="text-small text-quiet">{marksText(marks)}</p>
      {threshold.isOwn && (
        <Button small className="self-start" onClick={threshold.reset}>
          Use the default
        </Button>
      )}
    </div>
  )
}

function knownText(limit: number | null): string {
  return limit === null ? 'Its limit is not known.' : `Known limit: ${shortLimit(limit)}.`
}
