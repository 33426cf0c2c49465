// Entry of the worker thread that counts tokens, so that no text, however odd, holds up the main thread (F-9).
// Owns only the message shapes; counting is count-tokens. Built to token-worker.cjs beside each main bundle.
import { parentPort } from 'node:worker_threads'
import type { Result } from '@common/result'
import { countEach } from './count-tokens'
import type { EncoderFailure } from './count-tokens'
import type { EncodingName } from './encodings'

/** Main to worker. Answered in order, one reply each. */
export interface CountOrder {
  readonly id: number
  readonly encoding: EncodingName
  readonly texts: readonly string[]
}

/** Worker to main. */
export interface CountReply {
  readonly id: number
  readonly counts: Result<number[], EncoderFailure>
}

const port = parentPort
if (port === null) throw new Error('token-worker runs in a worker thread only.')

port.on('message', (order: CountOrder) => {
  const reply: CountReply = { id: order.id, counts: countEach(order.texts, order.encoding) }
  port.postMessage(reply)
})
