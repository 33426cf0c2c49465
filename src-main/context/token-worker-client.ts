// Owns the life of the counting worker: started on the first count, kept, restarted after a crash, and never
// a reason for the process to stay alive while it has nothing to do. Every order gets exactly one outcome.
import { Worker } from 'node:worker_threads'
import { err } from '@common/result'
import type { Result } from '@common/result'
import type { EncoderFailure } from './count-tokens'
import type { EncodingName } from './encodings'
import type { CountOrder, CountReply } from './token-worker'

type Counts = Result<number[], EncoderFailure>

/** A second crash with the same order at the head is the order's doing. */
const MAX_ATTEMPTS = 2

interface PendingOrder {
  readonly order: CountOrder
  readonly resolve: (counts: Counts) => void
  attempts: number
}

export class TokenWorkerClient {
  readonly #workerFile: string
  /** In the order sent, which is the order answered: the first is the one that the worker is at. */
  readonly #pending = new Map<number, PendingOrder>()
  #worker: Worker | null = null
  #lastId = 0
  #closed = false

  constructor(workerFile: string) {
    this.#workerFile = workerFile
  }

  /** Tokens of each text, counted in the worker. */
  count(texts: readonly string[], encoding: EncodingName): Promise<Counts> {
    if (this.#closed) return Promise.resolve(failed('The token counter is closed.'))
    return new Promise((resolve) => {
      const order: CountOrder = { id: ++this.#lastId, encoding, texts }
      this.#pending.set(order.id, { order, resolve, attempts: 1 })
      if (this.#worker === null) this.#start()
      else this.#send(this.#worker, order)
    })
  }

  /** Ends the worker; what it was counting fails. Nothing can be counted afterwards. */
  async close(): Promise<void> {
    this.#closed = true
    const worker = this.#worker
    this.#worker = null
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const { resolve } of pending) resolve(failed('The token counter was closed while it counted.'))
    await worker?.terminate()
  }

  /** Starts a worker and gives it all that is pending, oldest first. */
  #start(): void {
    const worker = new Worker(this.#workerFile)
    let reason = 'it ended by itself'
    worker.on('message', (reply: CountReply) => this.#receive(worker, reply))
    worker.on('error', (error) => (reason = error.message))
    worker.on('exit', () => this.#crashed(worker, reason))
    this.#worker = worker
    for (const { order } of this.#pending.values()) this.#send(worker, order)
  }

  #send(worker: Worker, order: CountOrder): void {
    worker.ref()
    worker.postMessage(order)
  }

  #receive(worker: Worker, reply: CountReply): void {
    const pending = this.#pending.get(reply.id)
    if (worker !== this.#worker || pending === undefined) return
    this.#pending.delete(reply.id)
    pending.resolve(reply.counts)
    if (!reply.counts.ok) this.#replace(worker)
    else if (this.#pending.size === 0) worker.unref()
  }

  /** A tokenizer that threw may be damaged, and its worker with it. */
  #replace(worker: Worker): void {
    this.#worker = null
    void worker.terminate()
    if (this.#pending.size > 0) this.#start()
  }

  #crashed(worker: Worker, reason: string): void {
    if (worker !== this.#worker) return
    this.#worker = null
    const first = this.#pending.values().next().value
    if (first !== undefined && ++first.attempts > MAX_ATTEMPTS) {
      this.#pending.delete(first.order.id)
      first.resolve(failed(`The token counter's worker stopped twice: ${reason}.`))
    }
    if (this.#pending.size > 0) this.#start()
  }
}

function failed(message: string): Counts {
  return err({ kind: 'encoder_failed', message })
}
