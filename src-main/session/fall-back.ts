// Owns the move of a turn to the next model of its list (T-5), once its own could not answer and nothing was said.
import type { ProviderFailure, ProviderFailureKind } from '@common/models/provider-failure'
import { prepareRequest, type PreparedRequest, type RequestRejection } from '../context/prepare-request'
import type { LiveRow } from './live-row'
import type { TurnContext } from './turn-context'
import type { Progress } from './turn-progress'

/** Failures of a model or its provider; another one may answer. A refused content or a too long request stays what it is. */
const MAY_FALL_BACK: ReadonlySet<ProviderFailureKind> = new Set([
  'auth',
  'rate_limit',
  'overloaded',
  'network',
  'provider',
  'malformed_stream'
])

export interface Fallback {
  readonly turn: TurnContext
  /** The same request as this model takes it, against its own limit (P-3). */
  readonly request: PreparedRequest | RequestRejection
}

/** The turn on its next model; null where there is none, or the failure is none of the model's. */
export async function fallBack(
  turn: TurnContext,
  { rows }: Progress,
  live: LiveRow,
  failure: ProviderFailure
): Promise<Fallback | null> {
  const moved = await onNextModel(turn, failure)
  return moved && { turn: moved, request: await prepareRequest([...rows, live.row], moved.settings) }
}

/** The same without a request: the caller has one of its own to prepare. */
export async function onNextModel(turn: TurnContext, failure: ProviderFailure): Promise<TurnContext | null> {
  if (!MAY_FALL_BACK.has(failure.kind) || turn.abortSignal.aborted) return null
  const route = await turn.nextRoute()
  if (route === null) return null
  const { systemText } = turn.settings
  const moved: TurnContext = { ...turn, ...route, settings: { ...route.settings, systemText } }
  turn.tellOnce(`${turn.info.name} could not answer (${failure.message}) ${moved.info.name} goes on in its place.`)
  return moved
}
