// Owns the one error that leaves this layer through an SDK stream: a classified failure in an Error's clothes,
// because a model stream can only throw. It carries no request body and no cause, so it is safe to log.
import type { ProviderFailure } from '@common/models/provider-failure'

export class ProviderFailureError extends Error {
  override readonly name = 'ProviderFailureError'
  readonly failure: ProviderFailure

  constructor(failure: ProviderFailure) {
    super(failure.message)
    this.failure = failure
  }
}

/** The provider sent something that is no answer: cut short, spliced or unreadable. */
export class MalformedStreamError extends Error {
  override readonly name = 'MalformedStreamError'
}

/** The provider's own word that the answer failed, without an error of its own to say why. */
export class FailedAnswerError extends Error {
  override readonly name = 'FailedAnswerError'
}

/** No byte came for too long. `code` makes the SDK treat it as the network fault that it is. */
export class ProviderStalledError extends Error {
  override readonly name = 'ProviderStalledError'
  readonly code = 'ETIMEDOUT'
  readonly stallMs: number

  constructor(stallMs: number) {
    super(`no byte for ${stallMs} ms`)
    this.stallMs = stallMs
  }
}
