// Owns which one thing stands between the person and an answer, and the ways out that only the composer
// has. What happened in a turn, a wait for the next attempt and *retry* stand in the transcript. Pure.
import type { SessionStatus, WorkspaceView } from '@common/contract/views'
import type { ModelInfo } from '@common/models/model-info'

export type BannerAction =
  | 'settings'
  | 'choose-model'
  | 'choose-agent'
  | 'choose-folder'
  | 'new-workspace'
  | 'fresh-window'
  | 'compact'
  | 'edit-rejected'
  | 'threshold'

export interface Banner {
  readonly kind: 'blocked' | 'key-refused' | 'too-long' | 'folder-missing' | 'model-missing'
  readonly text: string
  readonly actions: readonly BannerAction[]
}

export interface BannerInput {
  readonly status: SessionStatus
  readonly workspace: WorkspaceView
  /** Null when the model is not in the list; undefined while the list loads. */
  readonly model: ModelInfo | null | undefined
  /** The provider of the model has what it needs. Its list may still lack the model: a server that is not up yet. */
  readonly providerReady: boolean
  /** The newest row is a message that was not sent: it can be edited. */
  readonly hasRejected: boolean
}

/** The banner of the composer, the most pressing thing first; null when nothing is in the way. */
export function bannerOf({ status, workspace, model, providerReady, hasRejected }: BannerInput): Banner | null {
  if (!workspace.projectReadable)
    return {
      kind: 'folder-missing',
      text: `The folder ${workspace.projectPath} is gone or cannot be read. Point this workspace to where it is now.`,
      actions: ['choose-folder']
    }
  return problemBanner(status, hasRejected) ?? modelBanner(workspace, model, providerReady)
}

function problemBanner(status: SessionStatus, hasRejected: boolean): Banner | null {
  const problem = status.lastProblem
  if (problem === null || status.phase !== 'idle') return null
  if (problem.outcome === 'context_budget_blocked')
    return { kind: 'blocked', text: problem.message, actions: waysOut(problem.reason, hasRejected) }
  if (problem.reason === 'auth')
    return { kind: 'key-refused', text: 'The provider did not take the key.', actions: ['settings', 'choose-model'] }
  if (problem.reason === 'context_exceeded')
    return {
      kind: 'too-long',
      text: 'The conversation no longer fits into this model.',
      // A summary would be asked for with the same rows.
      actions: ['fresh-window', 'choose-model']
    }
  return null
}

/** What helps against each reason of a blocked budget (60), what is nearest first. */
function waysOut(reason: string | null, hasRejected: boolean): BannerAction[] {
  const edit: BannerAction[] = hasRejected ? ['edit-rejected'] : []
  switch (reason) {
    case 'history_access':
      return ['choose-agent', 'compact', 'fresh-window']
    case 'automatic_off':
      return ['threshold', 'compact', 'fresh-window']
    case 'fresh_request_too_large':
      return [...edit, 'choose-model']
    case 'request_too_large':
      return [...edit, 'compact', 'fresh-window']
    case 'hook':
      return ['compact', 'fresh-window']
    default:
      return [...edit, 'choose-model', 'new-workspace']
  }
}

function modelBanner(
  workspace: WorkspaceView,
  model: ModelInfo | null | undefined,
  providerReady: boolean
): Banner | null {
  if (model === undefined || model?.available === true || (model === null && providerReady)) return null
  const text =
    model === null
      ? `The model ${workspace.model} is not set up here. Choose another one, or add its provider.`
      : `${model.name} cannot be used yet: its provider has no key. Add one, or choose another model.`
  return { kind: 'model-missing', text, actions: ['choose-model', 'settings'] }
}
