// Owns what of a turn belongs to the model that answers: its limits, its request settings, its calls. A turn begins on
// its own model and may move to a fallback (T-5); limits and counting move with it (M-2, P-3).
import { type BudgetPoints, budgetPointsOf } from '@common/budget/budget-points'
import type { SessionStatus } from '@common/contract/views'
import type { OfferedTools } from '../context/advertised-tools'
import { countRequest } from '../context/count-request'
import type { TurnSettings } from '../context/prepare-request'
import type { ResolvedModel } from '../provider/provider-registry'
import { withRetry } from '../provider/retry'
import type { OpenedSession, SessionDeps } from './session-deps'
import type { TurnContext } from './turn-context'

export type ModelRoute = Pick<
  TurnContext,
  'info' | 'modelRef' | 'providerName' | 'points' | 'settings' | 'model' | 'classify'
>

export interface RouteParts {
  readonly systemText: string
  readonly offered: OfferedTools
  readonly requestLog: TurnContext['requestLog']
  /** Share of this model's limit at which automatic handling starts. */
  readonly threshold: number
  onRetry(retry: SessionStatus['retry']): void
}

/** The way to this model for one turn. */
export function routeTo(
  deps: SessionDeps,
  opened: OpenedSession,
  model: ResolvedModel,
  { systemText, offered, requestLog, threshold, onRetry }: RouteParts
): ModelRoute {
  const { file } = opened.workspace
  const settings: TurnSettings = {
    modelRef: model.ref,
    limits: model.info,
    providerOptions: model.providerOptions(file.thinkingLevel, file.id),
    supportsCacheMarks: model.supportsCacheMarks,
    systemText,
    ...offered,
    loadAttachment: (part) => opened.attachments.read(part),
    async countTokens(prompt, counted) {
      const request = { prompt, tools: [...counted] }
      const count = await countRequest(request, { encoding: model.info.encoding, counter: deps.counter })
      return count.ok
        ? { kind: 'counted', tokens: count.value.tokens }
        : { kind: 'failed', message: count.error.message }
    }
  }
  const points: BudgetPoints | null = budgetPointsOf(model.info, threshold)
  return {
    info: model.info,
    modelRef: model.ref,
    providerName: model.providerName,
    points,
    settings,
    classify: model.classify,
    model(onAttempt) {
      let requestSequence = 0
      return withRetry(model.model, {
        clock: deps.clock,
        random: Math.random,
        classify: model.classify,
        onAttempt() {
          onRetry(null)
          requestSequence = opened.workspace.nextRequestSequence()
          onAttempt(requestSequence)
        },
        onRetry({ attempt, delayMs, failure }) {
          requestLog.settled(requestSequence, { outcome: 'failed', failure: failure.kind })
          onRetry({ attempt, retryAtMs: deps.clock.now() + delayMs, failure })
        }
      })
    }
  }
}
