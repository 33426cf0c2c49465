// Owns the welcome wired to the state: no folder yet, a folder without a workspace, a workspace without rows.
import { budgetModeOf, TOKEN_BUDGET } from '@common/budget/budget-mode'
import type { ProviderSuggestion } from '@common/contract/requests'
import type { ApprovalMode } from '@common/settings/settings-schema'
import { focusComposer } from '../frame/regions'
import { acceptSuggestion, changeSetting } from '../store/actions/provider-actions'
import { sendInput } from '../store/actions/turn-actions'
import { dismiss } from '../store/actions/view-actions'
import { createWorkspace, openFolder, updateWorkspace } from '../store/actions/workspace-actions'
import { useApp, useAppState } from '../store/app-context'
import type { App } from '../store/app-store'
import { modelOf, selectedProject, selectedWorkspace } from '../store/selectors'
import { WindowOffer } from './window-offer'
import { EXAMPLE_REQUESTS, type ExampleRequest } from './example-requests'
import { ProviderStrip } from './provider-strip'
import { Welcome } from './welcome'

const ASKS: Readonly<Record<ApprovalMode, string>> = {
  ask: 'It asks before it changes anything.',
  'accept-edits': 'It asks before it runs a command.',
  auto: 'It asks only before risky steps.'
}

export function WelcomeContainer() {
  const app = useApp()
  const project = useAppState(selectedProject)
  const workspace = useAppState(selectedWorkspace)
  const approvalMode = useAppState((state) => state.settings.approvalMode)
  const modelRef = useAppState((state) => workspace?.model ?? state.settings.defaultModel)
  const model = useAppState((state) => modelOf(state, modelRef))
  const suggestions = useAppState((state) => state.suggestions)
  const dismissed = useAppState((state) => state.dismissed['suggestions'] === true)
  const settings = useAppState((state) => state.settings)
  const isDemo = modelRef.startsWith('demo:')
  const isUndecided = settings.experiments[TOKEN_BUDGET] === undefined
  const offersWindows = isUndecided && !settings.dismissedOffers.includes(TOKEN_BUDGET)
  const rollsOver = isDemo && budgetModeOf({ settings, modelRef, experiments: undefined }).isTokenBudget
  return (
    <Welcome
      title={project === null ? 'A long conversation that keeps every word' : `What should happen in ${project.name}?`}
      text={
        project === null
          ? 'Tidemark lets coding agents work in a folder of yours and keeps the whole conversation, however long it gets.'
          : `The agent reads, edits and runs commands in this folder. ${ASKS[workspace?.approvalMode ?? approvalMode]}`
      }
      onOpenFolder={project === null ? () => void openFolder(app) : null}
      examples={EXAMPLE_REQUESTS}
      examplesOpenFolder={project === null}
      onExample={(example) => void sendExample(app, example)}
      modelNote={
        isDemo
          ? `Answers come from Demo, a small scripted model on this machine: no network, no key.${rollsOver ? ' It sends with token-budget windows on.' : ''} Other models come with a provider, in the settings.`
          : `Answers come from ${model?.name ?? modelRef}.`
      }
    >
      {suggestions.length > 0 && !dismissed && (
        <ProviderStrip
          suggestions={suggestions}
          onUse={(suggestion) => void takeSuggested(app, suggestion)}
          onDismiss={() => dismiss(app, 'suggestions')}
        />
      )}
      {offersWindows && (
        <WindowOffer
          onDemo={isDemo}
          onAccept={() => void changeSetting(app, `experiments.${TOKEN_BUDGET}`, true)}
          onDismiss={() => void changeSetting(app, 'dismissedOffers', [...settings.dismissedOffers, TOKEN_BUDGET])}
        />
      )}
    </Welcome>
  )
}

/** Takes a provider that was found, also for the workspace on screen: nothing was said in it yet. */
async function takeSuggested(app: App, suggestion: ProviderSuggestion): Promise<void> {
  const taken = await acceptSuggestion(app, suggestion)
  const { selectedWorkspaceId } = app.store.getState()
  if (taken && suggestion.modelRef !== null && selectedWorkspaceId !== null)
    await updateWorkspace(app, selectedWorkspaceId, { model: suggestion.modelRef })
}

/** Sends an example in the workspace on screen, or in the first one that can be made. */
async function sendExample(app: App, example: ExampleRequest): Promise<void> {
  const state = app.store.getState()
  const project = selectedProject(state)
  const workspaceId =
    state.selectedWorkspaceId ?? (project === null ? await openFolder(app) : await createWorkspace(app, project.id))
  if (workspaceId === null) return
  focusComposer()
  await sendInput(app, workspaceId, { text: example.text, attachments: [], mode: 'tool-end' })
}
