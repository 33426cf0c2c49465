import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Row, ToolPart } from '@common/rows/row-schema'
import { inForm } from '../history/testing/long-form'
import { pointOutSkills } from './point-out-skills'
import { readSkillFile } from './skill-file'
import type { Skill } from './skill-loader'

function skillOf(name: string, paths: string, description = 'What it is for'): Skill {
  const read = readSkillFile(name, `---\ndescription: ${description}\npaths: ${paths}\n---\nBody`)
  if (!read.ok) throw new Error(read.error.message)
  return { ...read.value, source: 'home', path: `/home/skills/${name}/SKILL.md`, folder: `/home/skills/${name}` }
}

const SKILLS = [
  skillOf('all', '"**"'),
  skillOf('ui', 'ui/'),
  skillOf('styles', '"*.css"'),
  skillOf('deep', 'ui/**/part/*.css'),
  skillOf('none', '[]')
]
const PATHS = ['.', 'ui', 'ui/a.css', 'ui/x/part/b.css', 'server/a.ts', 'a.css']

test('O-5 the words of a pointer are one line, with a description of bounded length', () => {
  const said = (description: string): string | undefined =>
    pointOutSkills(['a'], [skillOf('all', '"**"', description)], () => [])[0]?.text
  expect(said('Do it. Now!')).toContain(' path: Do it. Now! Read its instructions with file_read at /home/')
  const long = said('🌊'.repeat(500)) ?? ''
  expect(long).toContain(`${'🌊'.repeat(299)}… Read`)
  expect(Buffer.from(long).toString()).toBe(long)
  expect(said('|\n  two\n  lines')).not.toContain('\n')
})

test('O-5 rows are read only when a skill is about a path', () => {
  const rows = (): Row[] => {
    throw new Error('not needed')
  }
  expect(pointOutSkills(['server/a.ts'], SKILLS.slice(1), rows)).toEqual([])
  expect(pointOutSkills([], SKILLS, rows)).toEqual([])
})

test('O-5 whatever calls come, each skill is pointed out once a window, with the first call that it is about', () => {
  const step = fc.array(fc.subarray(PATHS), { minLength: 1, maxLength: 4 })
  const windows = fc.array(fc.array(step, { maxLength: 5 }), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(windows, (plan) => {
      for (const steps of plan) {
        const rows: Row[] = []
        const told: string[] = []
        const due = new Set<string>()
        for (const [index, calls] of steps.entries()) {
          const live: Row = { id: `r${index}`, role: 'assistant', parts: [], metadata: {} }
          for (const touched of calls) {
            const skillPointers = pointOutSkills(touched, SKILLS, () => [...rows, live])
            for (const skill of SKILLS) if (touched.some((path) => skill.isAbout(path))) due.add(skill.name)
            told.push(...skillPointers.map(({ name }) => name))
            expect(new Set(told)).toEqual(due)
            live.parts.push(callWith(skillPointers))
          }
          // As it comes back from the disk, after a restart.
          rows.push(JSON.parse(JSON.stringify(live)) as Row)
        }
        expect(told).toHaveLength(due.size)
      }
    }),
    { seed: 31, numRuns: inForm({ quick: 100, full: 1_000, long: 5_000 }) }
  )
})

function callWith(skillPointers: NonNullable<ToolPart['skillPointers']>): ToolPart {
  const call = { type: 'dynamic-tool' as const, toolCallId: 'c', toolName: 'file_read', input: {} }
  return { ...call, state: 'output-available', output: 1, ...(skillPointers.length === 0 ? {} : { skillPointers }) }
}
