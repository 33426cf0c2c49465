// Owns the words in which a send is blocked (P-2, P-3, G-2): what happened, to what, and the ways out that exist. Pure.
import type { ContextBlock } from './context-strategy'
import type { RequestRejection } from './prepare-request'
import { tokensInWords } from './tokens-in-words'

/** What a person can do about a window that is full. */
export const WAYS_OUT = 'Compact it with /compact, or begin a fresh window with /clear --soft.'

const NO_SUMMARY = 'A summary made no room. Begin a fresh window with /clear --soft, or take a model with a larger one.'

const SMALLER = 'Shorten the message, remove attachments, or take a model with a larger window.'

/** Automatic handling is off, and the projection says that the window is full. */
export function automaticOff({ projected, hardCeiling }: { projected: number; hardCeiling: number }): ContextBlock {
  const held = `The conversation holds about ${tokensInWords(projected)} tokens, the model takes ${tokensInWords(hardCeiling)}`
  const message = `${held}, and automatic handling is off for it. Lower the threshold in the settings. ${WAYS_OUT}`
  return { reason: 'automatic_off', message }
}

/** The message with what is always sent fits no fresh window of the model. */
export function freshTooLarge({ message }: Pick<RequestRejection, 'message'>): ContextBlock {
  return { reason: 'fresh_request_too_large', message: `${message} ${SMALLER}` }
}

export interface Refused {
  /** The window holds more than the message. */
  readonly isEligible: boolean
  /** Automatic handling could have made room. */
  readonly isAutomatic: boolean
  /** A summary was tried just now and made no room. */
  readonly isTried?: boolean
}

/** The assembled request was refused, and nothing makes room by itself. */
export function requestRefused(
  rejection: RequestRejection,
  { isEligible, isAutomatic, isTried }: Refused
): ContextBlock {
  const { reason, message } = rejection
  if (reason === 'uncountable')
    return { reason: 'request_too_large', message: `${message} Send it again, or take another model.` }
  if (!isEligible) return freshTooLarge(rejection)
  if (isTried === true) return { reason: 'request_too_large', message: `${message} ${NO_SUMMARY}` }
  if (isAutomatic) return { reason: 'request_too_large', message: `${message} ${WAYS_OUT}` }
  return { reason: 'automatic_off', message: `${message} Automatic handling is off for this model. ${WAYS_OUT}` }
}
