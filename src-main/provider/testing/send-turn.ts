// Owns the delivery of one scripted turn: the encoded events with the turn's fault put in at its place.
import type { ServerResponse } from 'node:http'
import { encodeAnthropic } from './encode-anthropic'
import { encodeChat } from './encode-chat'
import { encodeGoogle } from './encode-google'
import { encodeResponses } from './encode-responses'
import { encodeWhole } from './encode-whole'
import { errorAnswerOf, errorEventOf, type ErrorAnswer } from './error-answers'
import { sendBytes, sendEvents } from './loopback-server'
import { sse, type EncodedCall, type ScriptedTurn, type WireProtocol } from './scripted-turn'

const ENCODERS: Readonly<Record<WireProtocol, (turn: ScriptedTurn, call: EncodedCall) => string[]>> = {
  anthropic: encodeAnthropic,
  chat: encodeChat,
  responses: encodeResponses,
  google: encodeGoogle
}

/** Answers one request as the turn says, as a stream or as one body. Resolves when nothing more will be sent. */
export async function sendTurn(
  response: ServerResponse,
  turn: ScriptedTurn,
  call: EncodedCall,
  protocol: WireProtocol,
  streams: boolean
): Promise<void> {
  const { fault, delivery } = turn
  const error = fault === undefined ? null : errorAnswerOf(fault, protocol)
  if (error !== null) return sendError(response, error, call.id)
  if (fault?.kind === 'hang' && fault.afterEvents === undefined) return
  if (fault?.kind === 'drop' && fault.afterBytes === undefined) {
    response.destroy()
    return
  }
  if (!streams) {
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': call.id })
    response.end(encodeWhole(turn, call, protocol))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'request-id': call.id })
  response.flushHeaders()
  const events = turn.events ?? ENCODERS[protocol](turn, call)
  switch (fault?.kind) {
    case 'drop':
      await sendBytes(response, Buffer.from(events.join(''), 'utf8').subarray(0, fault.afterBytes))
      response.destroy()
      return
    case 'hang':
      return sendEvents(response, events.slice(0, fault.afterEvents), delivery)
    case 'cut':
      await sendEvents(response, events.slice(0, fault.afterEvents), delivery)
      break
    case 'malformed-event':
      await sendEvents(response, events.slice(0, fault.afterEvents), delivery)
      await sendEvents(response, [sse('{"type":"content_block_delta","ind')], {})
      await sendEvents(response, events.slice(fault.afterEvents), delivery, fault.afterEvents)
      break
    case 'error-event':
      await sendEvents(response, events.slice(0, fault.afterEvents), delivery)
      await sendEvents(response, [errorEventOf(protocol, fault.overloaded ?? true)], {})
      break
    default:
      await sendEvents(response, events, delivery)
  }
  response.end()
}

export function sendError(response: ServerResponse, error: ErrorAnswer, requestId: string): void {
  response.writeHead(error.status, { 'content-type': 'application/json', 'request-id': requestId, ...error.headers })
  response.end(error.body)
}
