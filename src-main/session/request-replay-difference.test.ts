// V-2 on the whole app: what is not as it was sent is named, by message, role and row.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { envelopesOf, placeOf, replayOf } from '../context/testing/replay-of'
import { bash, expectIdentical, replayRig, type ReplayRig } from './testing/replay-rig'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** Puts `after` for `before` in a file of the workspace, as somebody with an editor does. */
function change({ test }: ReplayRig, file: string[], before: string, after: string): void {
  const name = path.join(placeOf(test).root, ...file)
  const text = readFileSync(name, 'utf8')
  expect(text).toContain(before)
  writeFileSync(name, text.replace(before, after))
}

describe('V-2 what is not as it was sent', () => {
  it('is named by message, role and row, from the first request on that held it', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'List the files.', bash('ls'), { text: 'Done.' })
    await made.turn('anthropic', 'Thanks.', { text: 'Gladly.' })
    const [person, answer] = await made.test.rows()
    change(made, ['windows', 'w-0.jsonl'], '"command":"ls"', '"command":"la"')
    const { verdicts, summary } = await replayOf(made.test)
    expect(verdicts.map(({ result }) => result)).toEqual(['identical', 'differs', 'differs'])
    expect(verdicts[1]?.firstDifference).toMatchObject({
      part: 'message',
      index: 1,
      role: 'assistant',
      rowId: answer?.id,
      rowIds: [answer?.id],
      what: 'The content of this message is not what was sent, at the same length.'
    })
    expect(summary).toMatchObject({ requests: 3, differing: 2 })
    change(made, ['windows', 'w-0.jsonl'], 'List the files.', 'List all the files.')
    const [first] = (await replayOf(made.test)).verdicts
    expect(first?.firstDifference).toMatchObject({ index: 0, role: 'user', rowId: person?.id })
    expect(first?.firstDifference?.bytesNow).toBe((first?.firstDifference?.bytesThen ?? 0) + 4)
  })

  it('is nothing that no request ever held: times, figures, durations', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'List the files.', bash('ls'), { text: 'Done.' })
    await made.turn('anthropic', 'Thanks.', { text: 'Gladly.' })
    change(made, ['windows', 'w-0.jsonl'], '"timestamp":', '"timestamp":1')
    change(made, ['windows', 'w-0.jsonl'], '"outputTokens":', '"outputTokens":9')
    change(made, ['windows', 'w-0.jsonl'], '"agentId":"exec"', '"agentId":"plan"')
    await expectIdentical(made)
  })

  it('may be the system text, a tool, an attachment, or a row that does not parse', async () => {
    const made = await replayRig(cleanUps)
    const file = await made.test.session.attachments.put(Buffer.from('%PDF-1.4 tide'), 'application/pdf')
    const attachments = [{ ...file, mediaType: 'application/pdf', filename: 'tide.pdf', bytes: 13 }]
    made.server.push({ text: 'High.' })
    const end = made.test.nextEnd()
    await made.test.ask('turn.send', {
      workspaceId: made.test.workspaceId,
      text: 'Tides?',
      attachments,
      mode: 'tool-end'
    })
    await end
    const { attachments: folder, requestParts } = placeOf(made.test)
    const [envelope] = envelopesOf(made.test)
    const differenceNow = async () => (await replayOf(made.test)).verdicts[0]?.firstDifference
    expect(await differenceNow()).toBeNull()
    renameSync(path.join(folder, file.sha256), path.join(folder, 'elsewhere'))
    expect(await differenceNow()).toMatchObject({ part: 'message', index: 0, role: 'user' })
    renameSync(path.join(folder, 'elsewhere'), path.join(folder, file.sha256))
    const parts = readdirSync(requestParts).length
    expect(parts).toBe(1 + (envelope?.tools?.length ?? 0))
    const tool = envelope?.tools?.[2]
    rmSync(path.join(requestParts, `${tool?.sha256}.txt`))
    expect(await differenceNow()).toMatchObject({
      part: 'tool',
      index: 2,
      what: expect.stringContaining(tool?.name ?? '?')
    })
    writeFileSync(path.join(requestParts, `${envelope?.system.sha256}.txt`), 'You are a pirate.')
    expect(await differenceNow()).toMatchObject({ part: 'system', bytesThen: envelope?.system.bytes })
    change(made, ['windows', 'w-0.jsonl'], '{"id":', '{"id:')
    await made.restart()
    expect(await differenceNow()).toMatchObject({ part: 'system' })
  })

  it('is named where a row cannot be read any more, with the sequences that are missing', async () => {
    const made = await replayRig(cleanUps)
    await made.turn('anthropic', 'One.', { text: 'Two.' })
    await made.turn('anthropic', 'Three.', { text: 'Four.' })
    change(made, ['windows', 'w-0.jsonl'], '"text":"Two."', '"text:"Two."')
    const { verdicts } = await replayOf(made.test)
    expect(verdicts.map(({ result }) => result)).toEqual(['identical', 'differs'])
    expect(verdicts[1]?.firstDifference).toMatchObject({
      index: 0,
      role: 'user',
      missingRows: [[2, 2]],
      what: expect.stringContaining('cannot be read: 2.')
    })
  })
})
