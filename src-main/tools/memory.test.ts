import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_TOOL_RESULT_BYTES, MEMORY_VIEW_MAX_ENTRIES } from '@common/constants'
import { TOOL_CONTRACTS, TOOL_NAMES, type ToolInput, type ToolOutput } from '@common/tools/tool-contracts'
import { listMemories } from '../memory/list-memories'
import { createMemory } from '../memory/write-memory'
import { jsonBytes } from './json-bytes'
import { memory } from './memory'
import { tempProject, type TempProject } from './testing/temp-project'
import type { ToolOutcome, ToolRun } from './tool-types'

const projects: TempProject[] = []
let project: TempProject
beforeEach(() => {
  project = tempProject()
  projects.push(project)
})
afterAll(() => {
  for (const each of projects) each.remove()
})

type Input = Partial<ToolInput<'memory'>> & Pick<ToolInput<'memory'>, 'command'>

async function call(input: Input, overrides: Partial<ToolRun> = {}): Promise<ToolOutcome<ToolOutput<'memory'>>> {
  const parsed = TOOL_CONTRACTS.memory.input.parse(input)
  const outcome = await memory.execute(parsed, project.run(overrides))
  if (outcome.kind === 'done') expect(TOOL_CONTRACTS.memory.output.parse(outcome.output)).toEqual(outcome.output)
  return outcome
}

function withAccess(access: ToolRun['memory']['access']): Partial<ToolRun> {
  return { memory: { ...project.run().memory, access } }
}

const notes = '/memories/workspace/context-notes.md'

describe('Y-1 the memory tool', () => {
  it('O-1 creates, views, edits, renames and deletes with the fields of Anthropic’s tool', async () => {
    const file = path.join(project.home, 'projects/p-1/memories/testing.md')
    const at = '/memories/project/testing.md'
    expect(await call({ command: 'create', path: at, file_text: 'Run npm test.\n' })).toEqual({
      kind: 'done',
      output: { kind: 'written', path: at, bytes: 14 }
    })
    expect(await call({ command: 'view', path: at })).toEqual({
      kind: 'done',
      output: { kind: 'file', path: at, content: '1\tRun npm test.', first_line: 1, last_line: 1, total_lines: 1 }
    })
    expect(await call({ command: 'insert', path: at, insert_line: 1, insert_text: 'Then lint.' })).toMatchObject({
      output: { kind: 'written', line: 2, bytes: 25 }
    })
    expect(await call({ command: 'str_replace', path: at, old_str: 'lint', new_str: 'npm run lint' })).toMatchObject({
      output: { kind: 'written', line: 2 }
    })
    expect(readFileSync(file, 'utf8')).toBe('Run npm test.\nThen npm run lint.\n')
    expect(await call({ command: 'view', path: at, view_range: [2, -1] })).toMatchObject({
      output: { content: '2\tThen npm run lint.', first_line: 2, total_lines: 2 }
    })
    const moved = '/memories/global/testing.md'
    expect(await call({ command: 'rename', old_path: at, new_path: moved })).toEqual({
      kind: 'done',
      output: { kind: 'renamed', path: at, new_path: moved }
    })
    expect(await call({ command: 'delete', path: moved })).toEqual({
      kind: 'done',
      output: { kind: 'deleted', path: moved }
    })
    expect(existsSync(path.join(project.home, 'memories/global/testing.md'))).toBe(false)
  })

  it('lists what there is: every scope, also an empty one, and files at any depth', async () => {
    expect(await call({ command: 'view' })).toEqual({
      kind: 'done',
      output: {
        kind: 'folder',
        path: '/memories',
        scopes: ['/memories/global', '/memories/project', '/memories/workspace'],
        entries: [],
        total: 0
      }
    })
    await call({ command: 'create', path: '/memories/project/api/errors.md', file_text: 'x' })
    expect(await call({ command: 'view', path: '/memories/project' })).toEqual({
      kind: 'done',
      output: {
        kind: 'folder',
        path: '/memories/project',
        entries: [{ path: '/memories/project/api/errors.md', bytes: 1 }],
        total: 1
      }
    })
    expect(await call({ command: 'view', path: '/memories/project/none' })).toMatchObject({ kind: 'failed' })
  })

  it('replaces a file of this conversation alone; what another one may have written is not written over', async () => {
    await call({ command: 'create', path: notes, file_text: 'old' })
    expect(await call({ command: 'create', path: notes, file_text: 'new' })).toMatchObject({
      output: { kind: 'written', note: 'It replaced the file that was there.' }
    })
    expect(await call({ command: 'view', path: notes })).toMatchObject({ output: { content: '1\tnew' } })
    for (const scope of ['global', 'project']) {
      const at = `/memories/${scope}/a.md`
      await call({ command: 'create', path: at, file_text: 'theirs' })
      expect(await call({ command: 'create', path: at, file_text: 'mine' })).toMatchObject({
        kind: 'failed',
        message: expect.stringContaining('already exists')
      })
      expect(await call({ command: 'view', path: at })).toMatchObject({ output: { content: '1\ttheirs' } })
    }
  })

  it('fails str_replace on none and on several, and leaves the file alone', async () => {
    await call({ command: 'create', path: notes, file_text: 'a\nb\na\n' })
    for (const [old, words] of [
      ['c', 'does not appear verbatim'],
      ['a', '2 times in /memories/workspace/context-notes.md, at lines 1, 3']
    ] as const)
      expect(await call({ command: 'str_replace', path: notes, old_str: old, new_str: 'x' })).toMatchObject({
        kind: 'failed',
        message: expect.stringContaining(words)
      })
    expect(await call({ command: 'view', path: notes })).toMatchObject({ output: { total_lines: 3 } })
  })

  it('O-2 says which field is missing', async () => {
    const incomplete: readonly (readonly [Input, string])[] = [
      [{ command: 'create', path: notes }, 'file_text'],
      [{ command: 'create', file_text: '' }, 'path'],
      [{ command: 'str_replace', path: notes, old_str: '' }, 'old_str'],
      [{ command: 'insert', path: notes, insert_line: 0 }, 'insert_text'],
      [{ command: 'insert', path: notes, insert_text: 'x' }, 'insert_line'],
      [{ command: 'delete' }, 'path'],
      [{ command: 'rename', path: notes, new_path: notes }, 'old_path'],
      [{ command: 'rename', old_path: notes }, 'new_path']
    ]
    for (const [input, field] of incomplete)
      expect(await call(input)).toMatchObject({ kind: 'failed', message: expect.stringContaining(field) })
    expect(TOOL_CONTRACTS.memory.input.safeParse({ command: 'drop' }).success).toBe(false)
    expect(TOOL_CONTRACTS.memory.input.safeParse({ command: 'view', view_range: [1] }).success).toBe(false)
  })

  it('O-2 never answers more than a row keeps, and says how to go on', async () => {
    const { store } = project.run().memory
    await createMemory(store, { path: notes, text: 'line of some length\n'.repeat(6_000), replace: false })
    const shown = await call({ command: 'view', path: notes })
    expect(jsonBytes(shown.kind === 'done' ? shown.output : '')).toBeLessThanOrEqual(MAX_TOOL_RESULT_BYTES)
    const output = shown.kind === 'done' && shown.output.kind === 'file' ? shown.output : null
    expect(output?.total_lines).toBe(6_000)
    expect(output?.note).toContain(`view_range [${(output?.last_line ?? 0) + 1}, -1]`)
    const folder = store.folders.project ?? ''
    mkdirSync(folder, { recursive: true })
    for (let index = 0; index < MEMORY_VIEW_MAX_ENTRIES + 1; index++)
      writeFileSync(path.join(folder, `${index}.md`), '')
    const listed = await call({ command: 'view', path: '/memories/project' })
    expect(listed).toMatchObject({ output: { total: MEMORY_VIEW_MAX_ENTRIES + 1 } })
    expect(jsonBytes(listed.kind === 'done' ? listed.output : '')).toBeLessThanOrEqual(MAX_TOOL_RESULT_BYTES)
  })

  it('counts as uses what an agent reads and edits, not what it makes, lists or fails to read', async () => {
    const count = async (): Promise<number | undefined> =>
      (await listMemories(project.run().memory.store)).memories[0]?.accessCount
    await call({ command: 'create', path: notes, file_text: 'a\n' })
    await call({ command: 'view', path: '/memories' })
    await call({ command: 'view', path: notes, view_range: [9, 9] })
    expect(await count()).toBe(0)
    await call({ command: 'view', path: notes })
    expect(await count()).toBe(1)
    await call({ command: 'str_replace', path: notes, old_str: 'a', new_str: 'b' })
    await call({ command: 'insert', path: notes, insert_line: 0, insert_text: 'c' })
    expect(await count()).toBe(3)
  })

  it('refuses every way out of its folders', async () => {
    for (const out of [
      '/etc/passwd',
      '/memories/../config.json',
      '/memories/project/../../../config.json',
      '../x',
      'a\0b'
    ]) {
      for (const command of ['view', 'create', 'str_replace', 'insert', 'delete'] as const)
        expect(
          await call({
            command,
            path: out,
            file_text: 'x',
            old_str: 'x',
            new_str: 'y',
            insert_line: 0,
            insert_text: 'x'
          })
        ).toMatchObject({ kind: 'failed' })
      expect(await call({ command: 'rename', old_path: out, new_path: notes })).toMatchObject({ kind: 'failed' })
    }
    expect(existsSync(project.home)).toBe(false)
  })
})

describe('Y-2 the switches', () => {
  it('off: the tool is there and says that memory is off, whatever is asked', async () => {
    await call({ command: 'create', path: notes, file_text: 'secret' })
    for (const command of ['view', 'create', 'delete', 'rename'] as const) {
      const outcome = await call({ command, path: notes, file_text: 'x' }, withAccess('off'))
      expect(outcome).toEqual({ kind: 'denied', message: expect.stringContaining('switched off') })
    }
    expect(TOOL_NAMES.slice(-2)).toEqual(['memory', 'session_history'])
  })

  it('read-only: it can be viewed, and every write is denied with words', async () => {
    await call({ command: 'create', path: notes, file_text: 'kept' })
    expect(await call({ command: 'view', path: notes }, withAccess('read-only'))).toMatchObject({ kind: 'done' })
    for (const command of ['create', 'str_replace', 'insert', 'delete', 'rename'] as const) {
      const outcome = await call({ command, path: notes, file_text: 'x', old_path: notes }, withAccess('read-only'))
      expect(outcome).toEqual({ kind: 'denied', message: expect.stringContaining('read-only') })
    }
    expect(await call({ command: 'view', path: notes })).toMatchObject({ output: { content: '1\tkept' } })
  })
})

describe('A-3 a memory call', () => {
  it('touches nothing of the project, so that no mode asks', async () => {
    const run = project.run()
    for (const command of ['view', 'create', 'delete', 'rename'] as const) {
      const touch = await memory.touch(
        { command, path: notes, old_path: notes, new_path: '/memories/global/b.md' },
        run
      )
      expect(touch).toMatchObject({ ok: true, value: { effect: 'read', paths: [], outside: false, command: null } })
    }
  })

  it('O-2 writes nothing once the turn was stopped', async () => {
    const abortSignal = AbortSignal.abort()
    expect(await call({ command: 'create', path: notes, file_text: 'x' }, { abortSignal })).toMatchObject({
      kind: 'interrupted'
    })
    expect(existsSync(project.home)).toBe(false)
  })
})
