// Proves through the whole app that the requests of a turn share what its rows were made into.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { SeenRequest, TurnSource } from '../provider/testing/scripted-turn'
import { startTestApp } from '../testing/test-app'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

it('F-7 F-11 reads a picture once for all steps of a turn, and tells the next turn when it is gone', async () => {
  const picture = Buffer.from('89504e470d0a1a0a', 'hex')
  let file = ''
  const look: TurnSource = { toolCalls: [{ name: 'glob', input: { pattern: '*' } }] }
  const lookOnceGone: TurnSource = () => {
    rmSync(file)
    return look
  }
  const server = await startScriptedServer({ turns: [lookOnceGone, look, { text: 'A wave.' }, { text: 'Gone.' }] })
  toClose.push(server)
  const entry = scriptedEntry('anthropic', server.baseUrl, { id: 'test-model' })
  const test = await startTestApp({ providers: [entry], model: 'anthropic:test-model' })
  toClose.push(test)
  const { sha256 } = await test.session.attachments.put(picture, 'image/png')
  file = path.join(test.session.folder, 'attachments', sha256)
  const attachments = [{ sha256, mediaType: 'image/png', filename: 'wave.png', bytes: picture.length }]
  const end = test.nextEnd()
  const { workspaceId } = test
  await test.ask('turn.send', { workspaceId, text: 'What is this?', attachments, mode: 'turn-end' })
  expect(await end).toMatchObject({ outcome: 'completed', requests: 3 })
  await test.turn('And now?')

  const holds = ({ rawBody }: SeenRequest): boolean => rawBody.includes(picture.toString('base64'))
  expect(server.requests.map(holds)).toEqual([true, true, true, false])
  expect(server.requests[3]?.rawBody).toContain('[The attachment wave.png is no longer on disk.]')
})
