// Proves over every protocol that a picture in a tool's result reaches the model as a picture, or that the model is told
// in words what it does not see; never as base64 in a text, and never as nothing (P-3, 00).
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import { startTestApp } from '../testing/test-app'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const DATA = Buffer.from('a very small picture of the sea').toString('base64')

/** The request that follows a history with one call whose result is this picture. */
async function requestAfter(protocol: 'anthropic' | 'responses' | 'chat' | 'google'): Promise<string> {
  const server = await startScriptedServer({ turns: () => ({ text: 'I see.' }) })
  toClose.push(server)
  const baseUrl = protocol === 'google' ? server.googleBaseUrl : server.baseUrl
  const options = { providers: [scriptedEntry(protocol, baseUrl)], model: `${protocol}:test-model` }
  const made = await startTestApp(options)
  toClose.push(made)
  const windows = path.join(made.session.folder, 'windows')
  await made.app.close()
  const output = {
    type: 'content',
    value: [
      { type: 'media', mediaType: 'image/png', data: DATA },
      { type: 'text', text: 'low tide' }
    ]
  }
  const call = {
    type: 'dynamic-tool',
    toolCallId: 'c1',
    toolName: 'screenshot',
    input: {},
    state: 'output-available',
    output
  }
  const rows = [
    { id: 'a', role: 'user', parts: [{ type: 'text', text: 'Look' }], metadata: { historySequence: 1 } },
    { id: 'b', role: 'assistant', parts: [call], metadata: { historySequence: 2 } }
  ]
  mkdirSync(windows, { recursive: true })
  writeFileSync(path.join(windows, 'w-0.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const test = await startTestApp({ again: made })
  toClose.push(test)
  expect(await test.turn('What is there?')).toMatchObject({ outcome: 'completed' })
  expect(server.problems).toEqual([])
  const body = server.requests[0]?.rawBody ?? ''
  expect(body).toContain('low tide')
  return body
}

it.each([
  ['anthropic', '"type":"image","source":{"type":"base64","media_type":"image/png"'],
  ['responses', '"type":"input_image","image_url":"data:image/png;base64,'],
  ['google', '"inlineData":{"mimeType":"image/png"']
] as const)('00 gives it as a picture: %s', async (protocol, form) => {
  const body = await requestAfter(protocol)
  expect(body).toContain(form)
  expect(body).toContain(DATA)
})

it('P-3 says in words what an endpoint does not take: chat', async () => {
  const body = await requestAfter('chat')
  expect(body).toContain('[image/png left out: this endpoint takes only text as the result of a tool]')
  expect(body).not.toContain(DATA)
})
