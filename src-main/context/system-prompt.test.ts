import { expect, it } from 'vitest'
import { systemPromptOf } from './system-prompt'

const parts = {
  agentPrompt: 'You are a coding agent.\n',
  projectPath: '/home/me/project',
  platform: 'linux',
  date: '2026-07-01',
  instructions: [
    { path: '/home/me/.tidemark/AGENTS.md', text: 'Be brief.\n\n' },
    { path: '/home/me/project/AGENTS.md', text: 'Use tabs.' }
  ],
  memory: null
}

it('A-5 the system text holds the agent, its surroundings and the instructions, those of the project last', () => {
  expect(systemPromptOf(parts)).toBe(
    [
      'You are a coding agent.',
      'Surroundings:\n- Project folder: /home/me/project\n- Platform: linux\n- Date when this conversation window began: 2026-07-01',
      'Instructions from /home/me/.tidemark/AGENTS.md (follow them unless the person says otherwise):\n\nBe brief.',
      'Instructions from /home/me/project/AGENTS.md (follow them unless the person says otherwise):\n\nUse tabs.'
    ].join('\n\n')
  )
})

it('W-0 the same parts always give the same bytes', () => {
  expect(systemPromptOf(structuredClone(parts))).toBe(systemPromptOf(parts))
  expect(systemPromptOf({ ...parts, instructions: [] })).not.toContain('Instructions')
})

it('Y-2 W-0 memory comes last, with a sentence of guidance where it is on, and leaves no word where it is off', () => {
  const block = 'Memories, as they were:\n\n<memory path="/memories/project/a.md">\nUse pnpm.\n</memory>'
  const on = systemPromptOf({ ...parts, memory: { access: 'on', block, hasNotes: false } })
  expect(on.startsWith(`${systemPromptOf(parts)}\n\nYou have a memory`)).toBe(true)
  expect(on.endsWith(`\n\n${block}`)).toBe(true)
  expect(systemPromptOf({ ...parts, memory: { access: 'on', block: '', hasNotes: false } })).toMatch(
    /never a secret\.$/
  )
  expect(systemPromptOf({ ...parts, memory: { access: 'read-only', block, hasNotes: false } })).toContain(
    'It is read-only'
  )
  expect(systemPromptOf(parts)).not.toMatch(/memor/i)
})

it('N-2 one sentence speaks of the notes, only where windows carry them and memory can be written', () => {
  const textOf = (access: 'on' | 'read-only', hasNotes: boolean): string =>
    systemPromptOf({ ...parts, memory: { access, block: '', hasNotes } })
  const added = textOf('on', true).replace(textOf('on', false), '')
  expect(added).toMatch(/^ [A-Z][^.]+\/memories\/workspace\/context-notes\.md[^.]+\.$/)
  expect(textOf('on', false)).not.toContain('context-notes')
  expect(textOf('read-only', true)).toBe(textOf('read-only', false))
  expect(textOf('read-only', true)).not.toContain('context-notes')
})
