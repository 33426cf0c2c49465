// Owns which one thing stands between the person and an answer, in words, and the ways out. Pure.
// One banner at a time: the most pressing first.
import type { SessionStatus, WorkspaceView } from '@common/contract/views'
import type { ModelInfo } from '@common/models/model-info'

export type BannerAction = 'stop' | 'retry' | 'settings' | 'choose-model' | 'choose-folder' | 'new-workspace'

export interface Banner {
  readonly kind: 'retrying' | 'blocked' | 'failed' | 'folder-missing' | 'model-missing'
  readonly level: 'info' | 'warning' | 'danger'
  readonly text: string
  /** Epoch milliseconds of the next attempt, for the countdown. */
  readonly untilMs: number | null
  readonly actions: readonly BannerAction[]
}

export interface BannerInput {
  readonly status: SessionStatus
  readonly workspace: WorkspaceView
  /** Null when the model is not in the list; undefined while the list loads. */
  readonly model: ModelInfo | null | undefined
}

/** The banner of the composer, or null when nothing is in the way. */
export function bannerOf({ status, workspace, model }: BannerInput): Banner | null {
  if (status.retry !== null) {
    const { attempt, failure, retryAtMs } = status.retry
    const text = `${failure.message} Attempt ${attempt + 1} follows`
    return { kind: 'retrying', level: 'warning', text, untilMs: retryAtMs, actions: ['stop'] }
  }
  if (!workspace.projectReadable)
    return {
      kind: 'folder-missing',
      level: 'warning',
      text: `The folder ${workspace.projectPath} is gone or cannot be read. Point this workspace to where it is now.`,
      untilMs: null,
      actions: ['choose-folder']
    }
  return problemBanner(status) ?? modelBanner(workspace, model)
}

function problemBanner(status: SessionStatus): Banner | null {
  const problem = status.lastProblem
  if (problem === null || status.phase !== 'idle') return null
  const shown = { text: problem.message, untilMs: null }
  switch (problem.outcome) {
    case 'context_budget_blocked':
      return { ...shown, kind: 'blocked', level: 'warning', actions: ['choose-model', 'new-workspace'] }
    case 'failed':
      return { ...shown, kind: 'failed', level: 'danger', actions: waysOutOf(problem.reason) }
    case 'interrupted':
      // Stopped by the person: nothing is in the way.
      return null
    case 'completed':
      return null
  }
}

function waysOutOf(reason: string | null): readonly BannerAction[] {
  if (reason === 'auth') return ['settings', 'retry']
  if (reason === 'context_exceeded') return ['choose-model', 'retry']
  return ['retry']
}

function modelBanner(workspace: WorkspaceView, model: ModelInfo | null | undefined): Banner | null {
  if (model === undefined || model?.available === true) return null
  const text =
    model === null
      ? `The model ${workspace.model} is not set up here. Choose another one, or add its provider.`
      : `${model.name} cannot be used yet: its provider has no key. Add one, or choose another model.`
  return { kind: 'model-missing', level: 'warning', text, untilMs: null, actions: ['choose-model', 'settings'] }
}
