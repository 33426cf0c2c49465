// Owns how a provider's failure is named (T-4). The kinds are the reasons of the command line (60).
import { z } from 'zod'

export const ProviderFailureKind = z.enum([
  'auth',
  'rate_limit',
  'overloaded',
  'network',
  'context_exceeded',
  'content_filter',
  'malformed_stream',
  'provider'
])
export type ProviderFailureKind = z.infer<typeof ProviderFailureKind>

export const ProviderFailure = z.object({
  kind: ProviderFailureKind,
  /** One sentence for a person: what happened, to what, what to do. Holds no key. */
  message: z.string(),
  /** HTTP status when the server answered. */
  statusCode: z.number().nullable(),
  /** The server's own wish, when it named one. */
  retryAfterMs: z.number().nullable(),
  /** May the same request be sent again? 429, 5xx, 529 and network faults. */
  retryable: z.boolean()
})
export type ProviderFailure = z.infer<typeof ProviderFailure>
