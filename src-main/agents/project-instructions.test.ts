import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MAX_INSTRUCTIONS_BYTES } from '@common/constants'
import { loadInstructions, type Instructions } from './project-instructions'

let base = ''
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'tidemark-instructions-'))
  for (const folder of ['home', 'project']) mkdirSync(path.join(base, folder))
})
afterEach(() => rmSync(base, { recursive: true }))

const put = (file: string, text: string): void => writeFileSync(path.join(base, file), text)
const load = (): Promise<Instructions[]> =>
  loadInstructions({ homeDir: path.join(base, 'home'), projectDir: path.join(base, 'project') })
const texts = async (): Promise<string[]> => (await load()).map(({ text }) => text)

test('A-5: AGENTS.md, else CLAUDE.md, of the home folder and then of the project', async () => {
  expect(await load()).toEqual([])
  put('project/CLAUDE.md', 'claude')
  expect(await load()).toEqual([{ path: path.join(base, 'project/CLAUDE.md'), text: 'claude' }])
  put('project/AGENTS.md', 'agents')
  put('home/AGENTS.md', 'mine')
  expect(await texts()).toEqual(['mine', 'agents'])
  put('project/AGENTS.md', ' \n')
  expect(await texts()).toEqual(['mine', 'claude'])
})

test('A-5: together at most 32 KiB, at a whole character, and what is cut says so', async () => {
  put('project/AGENTS.md', '🌊'.repeat(20_000))
  const [alone] = await texts()
  expect(Buffer.byteLength(alone ?? '')).toBeLessThanOrEqual(MAX_INSTRUCTIONS_BYTES)
  expect(alone).toMatch(/^(?:🌊)+\n\[… cut here: the file has 80000 bytes; read the rest of it with file_read …\]\n$/u)
  put('home/AGENTS.md', 'h'.repeat(50_000))
  const both = await texts()
  expect(both.reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(MAX_INSTRUCTIONS_BYTES)
  expect(both.every((text) => text.length > 4_000 && text.includes('cut here'))).toBe(true)
  put('home/AGENTS.md', 'short')
  expect((await texts())[0]).toBe('short')
})

test('A-5: a link inside the project is followed, one that leaves it is not, and a FIFO does not hang', async () => {
  put('project/RULES', 'rules')
  symlinkSync('RULES', path.join(base, 'project/AGENTS.md'))
  expect(await texts()).toEqual(['rules'])
  rmSync(path.join(base, 'project/AGENTS.md'))
  put('secret', 'secret')
  symlinkSync('../secret', path.join(base, 'project/AGENTS.md'))
  expect(await texts()).toEqual([])
  execFileSync('mkfifo', [path.join(base, 'home/AGENTS.md')])
  expect(await texts()).toEqual([])
})
