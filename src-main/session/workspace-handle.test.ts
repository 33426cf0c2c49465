import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Row, RowMetadata, StepPart, TokenUsage } from '@common/rows/row-schema'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { readWorkspaceFile, WorkspaceFile, writeWorkspaceFile } from './workspace-file'
import { WorkspaceHandle } from './workspace-handle'

const usage: TokenUsage = {
  inputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0
}
const step: StepPart = { type: 'step', requestSequence: 1, model: 'demo:tide-1', usage }

function answer(metadata: RowMetadata): Row {
  return { id: 'r', role: 'assistant', parts: [step], metadata }
}

async function opened(fields: Partial<WorkspaceFile> = {}) {
  const path = tempWorkspace().path('workspace.json')
  const file = WorkspaceFile.parse({ id: 'w1', ...fields })
  await writeWorkspaceFile(path, file)
  const onDisk = async () => (await readWorkspaceFile(path, 'w1'))?.file
  return { path, handle: new WorkspaceHandle(path, file), onDisk }
}

describe('WorkspaceHandle', () => {
  it('00 merges a change into what is on disk now, another process and another version included', async () => {
    const { path, handle } = await opened({ title: 'Old' })
    writeFileSync(path, JSON.stringify({ id: 'w1', title: 'Named elsewhere', archived: true, goal: 'ship' }))
    expect(await handle.update({ model: 'anthropic:sea-1' })).toEqual({ ok: true, value: undefined })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      title: 'Named elsewhere',
      archived: true,
      goal: 'ship',
      model: 'anthropic:sea-1'
    })
    expect(handle.file).toMatchObject({ title: 'Named elsewhere', goal: 'ship' })
  })

  it('writes changes made at once one after another', async () => {
    const { handle, onDisk } = await opened()
    await Promise.all([
      handle.update({ title: 'A' }),
      handle.update({ archived: true }),
      handle.update({ title: 'B' }),
      handle.update({ unread: true })
    ])
    await handle.settled()
    expect(await onDisk()).toMatchObject({ title: 'B', archived: true, unread: true })
  })

  it('keeps what it knows where the file on disk was damaged meanwhile', async () => {
    const { path, handle, onDisk } = await opened({ title: 'Kept', projectPath: '/p' })
    writeFileSync(path, '{"title": "Ke')
    await handle.update({ archived: true })
    expect(await onDisk()).toMatchObject({ title: 'Kept', projectPath: '/p', archived: true })
  })

  it('answers in words when it cannot save, and saves again once it can', async () => {
    const { path, handle, onDisk } = await opened({ title: 'A' })
    rmSync(path)
    mkdirSync(path)
    const failed = await handle.update({ title: 'B' })
    expect(failed.ok ? '' : failed.error).toContain('Could not save the workspace')
    expect(handle.file.title).toBe('A')
    rmSync(path, { recursive: true })
    expect((await handle.update({ title: 'C' })).ok).toBe(true)
    await handle.settled()
    expect(await onDisk()).toMatchObject({ title: 'C' })
  })

  it('V-1 gives each request number once, also after another process and after a restart', async () => {
    const { path, handle } = await opened({ requestSequence: 7 })
    expect(handle.nextRequestSequence()).toBe(8)
    const other = new WorkspaceHandle(path, WorkspaceFile.parse({ id: 'w1', requestSequence: 7 }))
    for (let request = 0; request < 5; request++) other.nextRequestSequence()
    await other.update({})
    await handle.update({ title: 'written last' })
    expect(handle.nextRequestSequence()).toBe(13)
    await handle.update({})
    const again = await readWorkspaceFile(path, 'w1')
    expect(new WorkspaceHandle(path, again?.file ?? WorkspaceFile.parse({ id: 'w1' })).nextRequestSequence()).toBe(14)
  })

  it('counts rows, costs and request numbers of the rows that it is told', async () => {
    const { handle, onDisk } = await opened({ rows: 2, costUsd: 0.5 })
    handle.countRow({ id: 'q', role: 'user', parts: [], metadata: {} })
    handle.countRow(answer({ usage, costUsd: 0.25, requestSequence: 9 }))
    expect(handle.file).toMatchObject({ rows: 4, costUsd: 0.75, requestSequence: 9, costIncomplete: false })
    await handle.update({})
    expect(await onDisk()).toMatchObject({ rows: 4, costUsd: 0.75 })
  })

  it.each<[string, RowMetadata, boolean]>([
    ['without a price', { usage }, true],
    ['with its cost', { usage, costUsd: 0 }, false],
    ['that a crash cut off', { interrupted: true }, true],
    ['whose cost stands on the row that goes on from it', {}, false]
  ])('says of an answer %s whether the cost is incomplete', async (_name, metadata, incomplete) => {
    const { handle } = await opened()
    handle.countRow(answer(metadata))
    expect(handle.file.costIncomplete).toBe(incomplete)
  })
})
