import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inForm } from '../history/testing/long-form'
import { readSkillFile } from './skill-file'
import { loadSkills, type LoadedSkills } from './skill-loader'

let base = ''
beforeEach(() => (base = mkdtempSync(path.join(tmpdir(), 'tidemark-skills-'))))
afterEach(() => rmSync(base, { recursive: true }))

const load = (projectTrusted = true): Promise<LoadedSkills> =>
  loadSkills({
    homeDir: path.join(base, 'home'),
    projectDir: path.join(base, 'project'),
    projectTrusted,
    commandNames: ['clear', 'compact']
  })
function write(folder: string, text: string): string {
  mkdirSync(path.join(base, folder), { recursive: true })
  writeFileSync(path.join(base, folder, 'SKILL.md'), text)
  return path.join(base, folder, 'SKILL.md')
}
const home = (name: string, text: string): string => write(`home/${name}`, text)
const project = (name: string, text: string): string => write(`project/.tidemark/skills/${name}`, text)
const skill = (fields: string, body = 'Do it well.'): string =>
  `---\ndescription: What it is for\n${fields}---\n${body}\n`

/** Is a skill with these globs about the path? */
function isAbout(paths: string, file: string): boolean {
  const read = readSkillFile('a', skill(`paths: ${paths}\n`))
  if (!read.ok) throw new Error(read.error.message)
  return read.value.isAbout(file)
}

test('O-5: a skill is a folder with a SKILL.md: fields in front, instructions below', async () => {
  home('deploy', skill('license: MIT\nallowed-tools: [Bash]\n', '# Deploy\n\n---\n\nCarefully.'))
  const file = project(
    'react',
    '---\nname: react-tests\ndescription: |\n  How we\n  test.\npaths: "*.test.tsx"\n---\nRender.'
  )
  mkdirSync(path.join(base, 'home/empty'))
  writeFileSync(path.join(base, 'home/README.md'), 'These are mine.')
  const { skills, problems } = await load()
  expect(problems).toEqual([])
  expect(skills).toMatchObject([
    {
      name: 'deploy',
      description: 'What it is for',
      body: '# Deploy\n\n---\n\nCarefully.',
      source: 'home',
      path: path.join(base, 'home/deploy/SKILL.md')
    },
    {
      name: 'react-tests',
      description: 'How we test.',
      source: 'project',
      path: '.tidemark/skills/react/SKILL.md',
      folder: path.dirname(file)
    }
  ])
})

test('O-5 A-1: skills of a project are read only when it is trusted', async () => {
  project('react', skill(''))
  project('broken', 'no front matter')
  expect(await load(false)).toEqual({ skills: [], problems: [] })
  expect(await load(true)).toMatchObject({ skills: [{ name: 'react' }], problems: [expect.stringContaining('broken')] })
})

test('O-5: a skill never takes the place of another or of a command, not with letters that look the same either', async () => {
  home('mine', skill(''))
  for (const [folder, fields] of [
    ['a', 'name: Mine\n'],
    ['b', 'name: \uff2dine\n'],
    ['c', 'name: clear\n'],
    ['d', 'name: COMPACT\n'],
    ['e', 'name: m-ine\n']
  ] as const)
    project(folder, skill(fields))
  project('other', skill(''))
  const { skills, problems } = await load()
  expect(skills.map(({ name }) => name)).toEqual(['mine', 'other'])
  expect(problems).toHaveLength(5)
  expect(problems[0]).toBe(
    '.tidemark/skills/a/SKILL.md:1: the personal skill “mine” has this name already; rename the skill.'
  )
  expect(problems[2]).toContain('the command /clear has this name already')
})

test('O-5: what is wrong is told with file and line, and keeps no other skill away', async () => {
  const cases: [string, string, RegExp][] = [
    ['none', 'hello', /none\/SKILL\.md:1: it does not begin with front matter/],
    ['yaml', '---\nname: a\npaths: [\n---\nx', /yaml\/SKILL\.md:[34]: /],
    ['said-nothing', '---\nname: said-nothing\n---\nx', /said-nothing\/SKILL\.md:2: description: /],
    ['long', `---\ndescription: ${'x'.repeat(1_025)}\n---\nx`, /long\/SKILL\.md:2: description: /],
    ['empty', skill('', ''), /empty\/SKILL\.md:1: it has no instructions/],
    ['sign', skill('name: "a/../b"\n'), /sign\/SKILL\.md:3: name: it is letters, digits/],
    ['my skill', skill(''), /my skill\/SKILL\.md:2: name: it is letters/],
    ['globs', skill('paths:\n  - src/**\n  - 7\n'), /globs\/SKILL\.md:5: paths\.1: /],
    ['slashes', skill('paths:\n  - src/**\n  - src\\components\\*.tsx\n'), /slashes\/SKILL\.md:5: paths: .*forward/],
    ['many', skill(`paths: "${'{a,b}'.repeat(12)}"\n`), /many\/SKILL\.md:3: paths: .*no valid glob/],
    ['list', '---\n- a\n---\nx', /list\/SKILL\.md:2: /],
    ['big', skill('', 'x'.repeat(1_000_000)), /big\/SKILL\.md:1: it has 10\d+ bytes, over the 65536/],
    ['line\nfeed', skill('name: fine\n'), /line\\nfeed\/SKILL\.md":1: the folder’s name/]
  ]
  for (const [name, text] of cases) home(name, text)
  mkdirSync(path.join(base, 'home/nested/SKILL.md'), { recursive: true })
  home('good', skill(''))
  const { skills, problems } = await load()
  expect(skills.map(({ name }) => name)).toEqual(['good'])
  for (const [name, , pattern] of cases)
    expect([name, problems.filter((problem) => pattern.test(problem)).length]).toEqual([name, 1])
  expect(problems).toHaveLength(cases.length + 1)
  expect(problems).toContainEqual(expect.stringContaining('nested/SKILL.md:1: it is not a regular file.'))
})

test('O-5: CRLF, a byte order mark and names of any script are taken', async () => {
  home('crlf', '\ufeff---\r\nname: überblick-概要\r\ndescription: So\r\n---\r\nOne.\r\n\r\nTwo.\r\n')
  home('nfd', skill('name: cafe\u0301\n'))
  const { skills, problems } = await load()
  expect(problems).toEqual([])
  expect(skills.map(({ name, body }) => [name, body])).toEqual([
    ['überblick-概要', 'One.\n\nTwo.'],
    ['café', 'Do it well.']
  ])
})

test('O-5: no link leads out of a skill, and none of a project out of it; the person may link skills in', async () => {
  writeFileSync(path.join(base, 'secret'), skill('name: secret\n', 'key'))
  write('dotfiles/linked', skill(''))
  for (const place of ['home', 'project/.tidemark/skills']) {
    mkdirSync(path.join(base, place, 'leak'), { recursive: true })
    symlinkSync(path.join(base, 'secret'), path.join(base, place, 'leak/SKILL.md'))
    symlinkSync(path.join(base, 'dotfiles/linked'), path.join(base, place, 'linked'))
  }
  write('project/docs/shared', skill(''))
  symlinkSync(path.join(base, 'project/docs/shared'), path.join(base, 'project/.tidemark/skills/shared'))
  const { skills, problems } = await load()
  expect(skills.map(({ name, source }) => [name, source])).toEqual([
    ['linked', 'home'],
    ['shared', 'project']
  ])
  expect(skills[0]?.folder).toBe(path.join(base, 'dotfiles/linked'))
  expect(problems.map((problem) => problem.replaceAll(base, ''))).toEqual([
    '/home/leak/SKILL.md:1: it is a link that leaves /home/leak.',
    '/project/.tidemark/skills/leak/SKILL.md:1: it is a link that leaves /project/.tidemark/skills/leak.',
    '/project/.tidemark/skills/linked/SKILL.md:1: its folder is a link that leaves /project.'
  ])
})

test('O-5: more skills than anybody has are counted, not read', async () => {
  for (let index = 0; index < 203; index++) home(`s${index}`, skill(''))
  const { skills, problems } = await load()
  expect(skills).toHaveLength(200)
  expect(problems).toEqual([expect.stringContaining('3 more skills were not read')])
})

test('O-5: globs count from the project; without a slash they mean a name at any depth', () => {
  const about: [string, string][] = [
    ['"*.tsx"', 'src/deep/a.tsx'],
    ['src/**/*.ts', 'src/a.ts'],
    ['./src/', 'src/a/b.ts'],
    ['/docs/*.md', 'docs/a.md'],
    ['"{src,test}/**"', 'test/x'],
    ['[docs/**, "*.css"]', 'ui/a.css'],
    ['Überblick/**', 'U\u0308berblick/概要.md'],
    ['"**"', 'anything']
  ]
  for (const [paths, file] of about) expect([paths, isAbout(paths, file)]).toEqual([paths, true])
  const other: [string, string][] = [
    ['src/*.ts', 'src/deep/a.ts'],
    ['docs/**', 'src/docs/a.md'],
    ['"*.tsx"', 'a.tsx.bak'],
    // On systems with forward slashes a backslash is a letter of the name.
    ['src/*.ts', 'src\\a.ts']
  ]
  for (const [paths, file] of other) expect([paths, isAbout(paths, file)]).toEqual([paths, false])
  const read = readSkillFile('a', skill(''))
  expect(read.ok && read.value.isAbout('anything')).toBe(false)
})

test('O-5: no front matter makes the reader throw, and what it takes can be typed', () => {
  const piece = fc.constantFrom(
    '---\n',
    'name: a\n',
    'name: 5\n',
    'description: d\n',
    'description: [d]\n',
    'paths: "**"\n',
    'paths:\n',
    '  - "[a-"\n',
    '  - "\\\\"\n',
    '{',
    '&a ',
    '*a',
    '!!js/function x\n',
    '? ',
    '"',
    "'",
    '\t',
    '\r\n',
    '<<: *a\n',
    '__proto__: {x: 1}\n',
    '\ufeff',
    '\0',
    '|\n',
    '%YAML 9\n',
    '...\n'
  )
  const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 20 }).map((all) => all.join(''))
  let taken = 0
  fc.assert(
    fc.property(text, fc.string({ maxLength: 20 }), (yaml, folder) => {
      for (const source of [yaml, `---\n${yaml}\n---\nbody`, `---\ndescription: d\n${yaml}\n---\nbody`]) {
        const read = readSkillFile(folder, source)
        if (!read.ok) expect(read.error.line).toBeGreaterThan(0)
        else {
          taken++
          expect(read.value.name).toMatch(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u)
          expect(read.value.description).not.toMatch(/[\r\n]/)
          expect(typeof read.value.isAbout('src/a.ts')).toBe('boolean')
        }
      }
    }),
    { seed: 12, numRuns: inForm({ quick: 200, full: 1_500, long: 6_000 }) }
  )
  expect(taken).toBeGreaterThan(0)
  expect(({} as { x?: number }).x).toBeUndefined()
})
