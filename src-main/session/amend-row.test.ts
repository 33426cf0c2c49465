import { expect, test } from 'vitest'
import type { SessionEvent } from '@common/contract/events'
import { personRow } from '../history/testing/row-builders'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { amendRow } from './amend-row'

test('H-14 K-2 an amended row is told once it is on disk, without the header of a compaction', async () => {
  const workspace = tempWorkspace()
  const history = await workspace.open()
  const header = { text: 'long', tokens: 1, skillNames: [], builtAtMs: 1 }
  await history.appendMany([personRow('a', 'x', { postCompactionContext: header })])
  const told: SessionEvent[] = []
  const turn = { history, publish: (event: SessionEvent) => void told.push(event) }
  await amendRow(turn, { id: 'a' }, { postCompactionContext: { omittedFromRequest: 3 }, costUsd: 1 })
  const stored = workspace.storedRows()[0]
  expect(stored?.metadata.postCompactionContext).toEqual({ ...header, omittedFromRequest: 3 })
  const { postCompactionContext: _header, ...metadata } = stored?.metadata ?? {}
  expect(told).toEqual([{ type: 'row-updated', row: { ...stored, metadata } }])
  expect((await amendRow(turn, { id: 'gone' }, { costUsd: 1 })).ok).toBe(false)
  expect(told).toHaveLength(1)
  await history.close()
})
