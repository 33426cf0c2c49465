import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MAX_ROW_BYTES, MAX_TOOL_RESULT_BYTES } from '@common/constants'
import { isKnownPart, type Row, toolPartsOf } from '@common/rows/row-schema'
import { openAttachments } from './attachments'
import { exported, importFile, importText } from './testing/import-and-export'
import { tempWorkspace, type TempWorkspace } from './testing/temp-workspace'

const PI_SESSION = join(import.meta.dirname, 'testing/fixtures/pi-large-session.jsonl')

interface PiMessage {
  readonly role: 'user' | 'assistant' | 'toolResult'
  readonly content: readonly {
    type: string
    text?: string
    thinking?: string
    id?: string
    name?: string
    arguments?: unknown
  }[]
  readonly toolCallId?: string
  readonly isError?: boolean
  readonly timestamp: number
  readonly model?: string
  readonly provider?: string
  readonly stopReason?: string
  readonly usage?: { input: number; output: number; cacheRead: number; cacheWrite: number; cost: { total: number } }
}

test('H-11 a real session of pi imports, pages backward and exports with every message intact', async () => {
  const workspace = tempWorkspace()
  const store = await workspace.open()
  const lines = readFileSync(PI_SESSION, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; message: PiMessage })
  expect(await importFile(store, workspace, PI_SESSION, 'pi')).toEqual({
    ok: true,
    value: { rows: 1019 - 373, skipped: 0 }
  })

  const rows = workspace.storedRows()
  const messages = lines.filter((line) => line.type === 'message').map((line) => line.message)
  const spoken = messages.filter((message) => message.role !== 'toolResult')
  const spokenRows = rows.filter((row) => row.metadata.machine === undefined)
  expect(spokenRows.map((row) => row.role)).toEqual(spoken.map((message) => message.role))
  const results = new Map(
    messages.filter((message) => message.role === 'toolResult').map((message) => [message.toolCallId, message])
  )
  for (const [index, message] of spoken.entries()) expectIntact(spokenRows[index], message, results, workspace)
  const kinds = rows.flatMap((row) => row.metadata.machine?.type ?? [])
  expect(kinds.filter((kind) => kind === 'pi-model_change')).toHaveLength(1)
  expect(kinds.filter((kind) => kind === 'pi-thinking_level_change')).toHaveLength(103)
  expect(kinds.filter((kind) => kind === 'pi-session')).toHaveLength(1)
  expect(rows.map((row) => row.metadata.historySequence)).toEqual(rows.map((_, index) => index + 1))
  expect(rows.every((row) => Buffer.byteLength(JSON.stringify(row)) <= MAX_ROW_BYTES)).toBe(true)

  const paged: Row[] = []
  for (let before: string | null = null; ;) {
    const page = await store.page({ before, maxRows: 80, maxBytes: 262_144 })
    if (!page.ok) throw new Error(page.error.message)
    paged.unshift(
      ...page.value.lines
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row)
    )
    before = page.value.before
    if (before === null) break
  }
  expect(paged).toEqual(rows)

  const { text } = await exported(store, 'jsonl')
  const again = await importText(text)
  expect((await exported(again.store, 'jsonl')).text).toBe(text)
  const markdown = (await exported(store, 'markdown')).text
  const words = spoken.flatMap((message) => message.content.flatMap((block) => block.text ?? []))
  for (const word of words) expect(markdown).toContain(word)
  await store.close()
  await again.store.close()
})

/** A row says all that its message and the results of its calls said. */
function expectIntact(
  row: Row | undefined,
  message: PiMessage,
  results: Map<string | undefined, PiMessage>,
  workspace: TempWorkspace
): void {
  if (row === undefined) throw new Error('A message is missing.')
  const texts = row.parts
    .filter(isKnownPart)
    .flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : []))
  expect(texts).toEqual(message.content.flatMap((block) => block.text ?? block.thinking ?? []))
  const calls = toolPartsOf(row)
  expect(calls.map((call) => [call.toolCallId, call.toolName, call.input])).toEqual(
    message.content.filter((block) => block.type === 'toolCall').map((block) => [block.id, block.name, block.arguments])
  )
  for (const call of calls) {
    const result = results.get(call.toolCallId)
    const said = result?.content.map((block) => block.text ?? '').join('\n')
    expect(call.state).toBe(
      result === undefined ? 'interrupted' : result.isError === true ? 'output-error' : 'output-available'
    )
    if (result === undefined) continue
    const kept = result.isError === true ? call.errorText : call.output
    if (call.outputSpill === undefined) expect(kept).toBe(said)
    else expect(readFileSync(workspace.path('spill', call.outputSpill.id), 'utf8')).toBe(said)
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(MAX_TOOL_RESULT_BYTES)
  }
  expect(row.metadata.timestamp).toBe(message.timestamp)
  if (message.role !== 'assistant') return
  expect(row.metadata.model).toBe(`${message.provider}:${message.model}`)
  expect(row.metadata.interrupted === true).toBe(message.stopReason === 'aborted')
  expect(row.metadata.error !== undefined).toBe(message.stopReason === 'error')
  expect(row.metadata.costUsd).toBe(message.usage?.cost.total)
  expect(row.metadata.usage).toMatchObject({ inputTokens: message.usage?.input, outputTokens: message.usage?.output })
}

test('H-11 H-13 pictures and long texts of a pi session live beside the history, unknown lines stay', async () => {
  const workspace = tempWorkspace()
  const picture = Buffer.from([137, 80, 78, 71, 1, 2, 3])
  const image = { type: 'image', data: picture.toString('base64'), mimeType: 'image/png' }
  const long = 'é'.repeat(100_000)
  const message = (fields: object): object => ({
    type: 'message',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: fields
  })
  const assistant = { role: 'assistant', provider: 'anthropic', model: 'm', stopReason: 'toolUse' }
  const lines = [
    message({ role: 'user', content: 'plain text' }),
    message({ role: 'user', content: [{ type: 'text', text: long }, image] }),
    message({
      ...assistant,
      content: [
        { type: 'toolCall', id: 't1', name: 'look', arguments: { text: long } },
        { type: 'text', text: 'w'.repeat(700_000) }
      ]
    }),
    message({
      role: 'toolResult',
      toolCallId: 't1',
      toolName: 'look',
      content: [{ type: 'text', text: long }, image],
      details: { big: long }
    }),
    message({
      role: 'toolResult',
      toolCallId: 'orphan',
      toolName: 'look',
      content: [{ type: 'text', text: 'whose?' }]
    }),
    message({ role: 'bashExecution', command: 'ls' }),
    { type: 'future', huge: 'h'.repeat(2_000_000) }
  ]
  writeFileSync(workspace.path('pi.jsonl'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnot json\n`)
  const store = await workspace.open()
  const outcome = await importFile(store, workspace, workspace.path('pi.jsonl'), 'pi')
  expect(outcome).toMatchObject({ ok: true, value: { skipped: 1 } })
  const rows = workspace.storedRows()
  const attachments = openAttachments(workspace.path('attachments'))
  const [textFile, imageFile] = rows[1]?.parts ?? []
  if (textFile?.type !== 'file' || imageFile?.type !== 'file') throw new Error('Both are attachments.')
  expect(String(await attachments.read({ url: String(textFile['url']) }))).toBe(long)
  expect(await attachments.read({ url: String(imageFile['url']) })).toEqual(picture)
  const call = rows.flatMap(toolPartsOf)[0]
  expect(readFileSync(workspace.path('spill', call?.outputSpill?.id ?? ''), 'utf8')).toContain(long)
  expect(JSON.parse(readFileSync(workspace.path('spill', call?.inputSpill?.id ?? ''), 'utf8'))).toEqual({ text: long })
  expect(
    rows
      .flatMap((row) => row.parts)
      .flatMap((part) => (isKnownPart(part) && part.type === 'text' ? part.text : []))
      .join('')
  ).toContain('w'.repeat(700_000))
  expect(rows.flatMap((row) => row.metadata.machine?.type ?? [])).toEqual(['pi-message', 'pi-message', 'pi-future'])
  expect(JSON.stringify(rows)).toContain('whose?')
  expect(rows.every((row) => Buffer.byteLength(JSON.stringify(row)) <= MAX_ROW_BYTES)).toBe(true)
  await store.close()
})
