// Owns the experiments tab wired to the state.
import { TOKEN_BUDGET } from '@common/budget/budget-mode'
import { changeSetting } from '../store/actions/provider-actions'
import { useApp, useAppState } from '../store/app-context'
import { ExperimentsTab } from './experiments-tab'

export function ExperimentsContainer() {
  const app = useApp()
  const experiments = useAppState((state) => state.settings.experiments)
  const chooseTokenBudget = (on: boolean | undefined) => {
    const { [TOKEN_BUDGET]: _before, ...others } = experiments
    void changeSetting(app, 'experiments', on === undefined ? others : { ...others, [TOKEN_BUDGET]: on })
  }
  return <ExperimentsTab tokenBudget={experiments[TOKEN_BUDGET]} onTokenBudget={chooseTokenBudget} />
}
