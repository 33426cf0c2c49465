// Owns the experiments tab wired to the state.
import { useState } from 'react'
import { TOKEN_BUDGET } from '@common/budget/budget-mode'
import { changeSetting } from '../store/actions/provider-actions'
import { useApp, useAppState } from '../store/app-context'
import { ExperimentsTab } from './experiments-tab'

export function ExperimentsContainer() {
  const app = useApp()
  const { experiments, autoThreshold, modelThresholds } = useAppState((state) => state.settings)
  const [moved, setMoved] = useState<number | null>(null)
  const chooseTokenBudget = (on: boolean | undefined) => {
    const { [TOKEN_BUDGET]: _before, ...others } = experiments
    void changeSetting(app, 'experiments', on === undefined ? others : { ...others, [TOKEN_BUDGET]: on })
  }
  const storeThreshold = async (threshold: number) => {
    setMoved(threshold)
    await changeSetting(app, 'autoThreshold', threshold)
    // Unless it was moved again meanwhile.
    setMoved((now) => (now === threshold ? null : now))
  }
  return (
    <ExperimentsTab
      tokenBudget={experiments[TOKEN_BUDGET]}
      onTokenBudget={chooseTokenBudget}
      threshold={moved ?? autoThreshold}
      onPreview={setMoved}
      onThreshold={(threshold) => void storeThreshold(threshold)}
      ownThresholds={Object.keys(modelThresholds).length}
    />
  )
}
