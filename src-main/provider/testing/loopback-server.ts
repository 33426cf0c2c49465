// Owns an HTTP server on 127.0.0.1 for tests: reading bodies, sending event streams byte by byte if need be, closing
// for good. Plain node:http, no test framework, so that unit tests, Playwright and benchmarks can all use it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Delivery } from './scripted-turn'

export interface LoopbackServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** Ends every connection, also those that hang. */
  close(): Promise<void>
}

/** Listens on a free port. A handler that throws answers 500 with the error's text. */
export async function listenOnLoopback(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(error instanceof Error ? (error.stack ?? error.message) : String(error))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** The whole body of a request as text. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Sends events as the delivery says; returns when they are on the wire. Does not end the response. */
export async function sendEvents(
  response: ServerResponse,
  events: readonly string[],
  delivery: Delivery = {},
  firstIndex = 0
): Promise<void> {
  for (const [offset, event] of events.entries()) {
    if (delivery.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delivery.delayMs))
    await delivery.gate?.(firstIndex + offset)
    if (response.destroyed) return
    const bytes = Buffer.from(event, 'utf8')
    const step = delivery.bytesPerWrite ?? bytes.length
    for (let at = 0; at < bytes.length; at += step) await sendBytes(response, bytes.subarray(at, at + step))
  }
}

/** Resolves when the bytes were handed to the system, so that two writes arrive as two. */
export async function sendBytes(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (response.destroyed) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('close', done)
      resolve()
    }
    response.once('close', done)
    response.write(bytes, done)
  })
  await new Promise((resolve) => setImmediate(resolve))
}
