// Owns a loopback server that replays a recorded stream as the provider sent it: answer after answer of the recording,
// one a request, with the event names and the end mark of its protocol.
import { listenOnLoopback, readBody, sendEvents } from './loopback-server'
import { sse, type Delivery, type WireProtocol } from './scripted-turn'
import { readWireFixture, type WireFixture } from './wire-fixtures'

export interface WireServer {
  /** As providers.json takes it for the recording's protocol. */
  readonly baseUrl: string
  readonly fixture: WireFixture
  /** Bodies of the requests so far. */
  readonly requestBodies: readonly string[]
  close(): Promise<void>
}

/** Serves one recording. A request beyond its last answer gets that last answer again. */
export async function startWireServer(source: string | WireFixture, delivery: Delivery = {}): Promise<WireServer> {
  const fixture = typeof source === 'string' ? readWireFixture(source) : source
  const requestBodies: string[] = []
  const server = await listenOnLoopback(async (request, response) => {
    const index = requestBodies.push(await readBody(request)) - 1
    const answer = fixture.answers[Math.min(index, fixture.answers.length - 1)] ?? []
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await sendEvents(response, sseEventsOf(answer, fixture.protocol), delivery)
    response.end()
  })
  const path = fixture.protocol === 'google' ? '/v1beta' : '/v1'
  return { baseUrl: `${server.origin}${path}`, fixture, requestBodies, close: () => server.close() }
}

/** Recorded payloads as server-sent events. */
export function sseEventsOf(answer: readonly string[], protocol: WireProtocol): string[] {
  const events = answer.map((line) => sse(line, eventNameOf(line, protocol)))
  return protocol === 'chat' ? [...events, sse('[DONE]')] : events
}

/** Anthropic and Responses name their events; the name is the payload's type. */
function eventNameOf(line: string, protocol: WireProtocol): string | undefined {
  if (protocol === 'chat' || protocol === 'google') return undefined
  return /^\{"type":"([^"]+)"/.exec(line)?.[1]
}
