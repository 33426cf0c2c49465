// Owns the words for a failure before it becomes a sentence: whom it befell and which sort it is.
import type { ProviderFailureKind } from '@common/models/provider-failure'

export interface FailureSubject {
  /** The provider's name as the person knows it. */
  readonly providerName: string
  /** PROVIDER_ID:MODEL_ID */
  readonly modelRef: string
  /** Milliseconds since the epoch, for a retry-after given as a date by a server that does not date its answers. */
  readonly nowMs?: number
  /** Exact texts that must not appear in the message, as the key in use. */
  readonly secrets?: readonly string[]
}

/** What sort of failure within its kind: picks the sentence, and says whether trying again can help. */
export type FailureCause =
  | { readonly kind: Exclude<ProviderFailureKind, 'rate_limit' | 'network' | 'provider'> }
  | { readonly kind: 'rate_limit'; readonly quotaUsedUp: boolean }
  | { readonly kind: 'network'; readonly fault: 'refused' | 'not-found' | 'certificate' | 'stalled' | 'broken-off' }
  | { readonly kind: 'provider'; readonly fault: 'server' | 'not-found' | 'no-credit' | 'request' }
