// Owns the bridge between the window and main: two functions, for ever.
import { z } from 'zod'
import type { EventBatch } from './events'
import type { RequestInput, RequestName, RequestOutput } from './requests'

/** Why a request was not carried out. `message` is one sentence for a person. */
export const RequestFailure = z.object({
  kind: z.enum(['invalid-input', 'not-found', 'busy', 'locked', 'refused', 'io', 'internal']),
  message: z.string()
})
export type RequestFailure = z.infer<typeof RequestFailure>

export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: RequestFailure }

export interface Bridge {
  /** Sends a request to main; never rejects for an expected failure. */
  request<Name extends RequestName>(name: Name, input: RequestInput<Name>): Promise<Answer<RequestOutput<Name>>>
  /** Hears every batch of events from now on; returns a function that stops it. */
  onEvent(listener: (batch: EventBatch) => void): () => void
}
