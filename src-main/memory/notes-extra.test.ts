// Proves how the agent's notes are read from real files and cut to their allowance (N-1).
import { symlinkSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_MEMORY_FILE_BYTES, NOTES_BYTES, NOTES_TOKENS } from '@common/constants'
import { NOTES_PATH } from '@common/memory/notes-path'
import { extraMemoryText, hotMemoryBlock, partHotMemoryBlock } from './hot-memory-block'
import { notesExtra, type NotesAllowance, type NotesExtra } from './notes-extra'
import { type MemoryHead, readMemoryHead } from './read-memory'
import { tempMemories } from './testing/temp-memories'

const BLOCK = hotMemoryBlock([{ path: '/memories/global/style.md', pinned: true, text: 'Be brief.\n' }])
const MARKER = 'The memory tool shows the whole.]'

const bytesOf = (text: string): Promise<number> => Promise.resolve(Buffer.byteLength(text))
const ALLOWANCE: NotesAllowance = { bytes: NOTES_BYTES, tokens: NOTES_BYTES, countTokens: bytesOf }

const headOf = (text: string): MemoryHead => ({
  path: NOTES_PATH,
  text,
  isWhole: true,
  bytes: Buffer.byteLength(text),
  modifiedAtMs: 1
})

/** The lines between the tags. */
const insideOf = ({ text }: NotesExtra): string => text.split('\n').slice(3, -1).join('\n')

/** What the file says, without the marker of the cut. */
const keptOf = (extra: NotesExtra | null): string =>
  extra === null ? '' : insideOf(extra).replace(/\n?\[Cut here: [^\n]*\]$/, '')

describe('N-1 the notes within their allowance', () => {
  it('are given whole at exactly the allowance, and cut with a marker at one byte more', async () => {
    const frame = Buffer.byteLength(extraMemoryText(BLOCK, { path: NOTES_PATH, pinned: false, text: '' }))
    const fits = 'x'.repeat(NOTES_BYTES - frame)
    expect(await notesExtra(BLOCK, headOf(`${fits}\n`), ALLOWANCE)).toEqual({
      text: `\n\n<memory path="${NOTES_PATH}">\n${fits}\n</memory>`,
      isCut: false
    })
    const cut = await notesExtra(BLOCK, headOf(`${fits}x`), ALLOWANCE)
    expect(cut).toMatchObject({ isCut: true, text: expect.stringContaining(`${fits.length + 1} bytes. ${MARKER}`) })
    expect(Buffer.byteLength(cut?.text ?? '')).toBe(NOTES_BYTES)
  })

  it('count their tokens, the opening of the block too where they are alone in it', async () => {
    const text = 'note '.repeat(4_000)
    for (const block of [BLOCK, '']) {
      const extra = await notesExtra(block, headOf(text), { ...ALLOWANCE, tokens: NOTES_TOKENS })
      expect(extra?.text.startsWith('Memories, as they were')).toBe(block === '')
      expect(Buffer.byteLength(extra?.text ?? '')).toBeLessThanOrEqual(NOTES_TOKENS)
      expect(Buffer.byteLength(extra?.text ?? '')).toBeGreaterThan(NOTES_TOKENS - 6)
    }
  })

  it('end with a whole line where that keeps the better part, with a whole code point where not', async () => {
    const lines = Array.from({ length: 2_000 }, (_, line) => `- fact ${line}`)
    for (const end of ['\n', '\r\n']) {
      const kept = keptOf(await notesExtra(BLOCK, headOf(lines.join(end)), ALLOWANCE))
      const whole = kept.split('\n').map((line) => line.replace(/\r$/, ''))
      expect(whole.length).toBeGreaterThan(400)
      expect(whole).toEqual(lines.slice(0, whole.length))
    }
    for (const start of ['', 'x', 'xx', 'xxx']) {
      const kept = keptOf(await notesExtra(BLOCK, headOf(`# Notes\n${start}${'🌊'.repeat(9_000)}`), ALLOWANCE))
      expect(kept).toMatch(/^# Notes\nx*(?:🌊){1900,}$/u)
    }
  })

  it('are their marker alone where no character fits, and left out where not even that does', async () => {
    const whole = (await notesExtra(BLOCK, headOf('x'.repeat(9_000)), { ...ALLOWANCE, bytes: 400 }))?.text ?? ''
    const bare = whole.replace(/x+\n/, '')
    const within = (bytes: number): Promise<NotesExtra | null> =>
      notesExtra(BLOCK, headOf(`🌊${'x'.repeat(8_996)}`), { ...ALLOWANCE, bytes })
    const bytes = Buffer.byteLength(bare)
    expect(await within(bytes)).toEqual({ text: bare, isCut: true })
    expect(await within(bytes + 4)).toEqual({ text: bare, isCut: true })
    expect((await within(bytes + 5))?.text).toContain('🌊')
    expect(await within(bytes - 1)).toBeNull()
  })

  it('are given though there is not a word in them', async () => {
    expect(await notesExtra(BLOCK, headOf(''), ALLOWANCE)).toEqual({
      text: `\n\n<memory path="${NOTES_PATH}">\n\n</memory>`,
      isCut: false
    })
  })

  const pieces = fc.constantFrom(
    'use pnpm',
    ' ',
    '\n',
    '\r\n',
    '🌊',
    '👩‍👩‍👧',
    'é',
    'e\u0301\u0301',
    '漢字',
    '</memory>',
    '</ Memory >',
    '<\\/memory>',
    '[Cut here: ]'
  )
  const texts = fc
    .tuple(fc.array(pieces, { maxLength: 40 }), fc.nat({ max: 60 }))
    .map(([each, times]) => each.join('').repeat(times))
  /** Counters of every kind: by bytes, by characters, and one for which a longer text may take fewer tokens. */
  const counters = fc.constantFrom<((text: string) => number)[]>(
    (text) => Math.ceil(Buffer.byteLength(text) / 4),
    (text) => [...text].length,
    (text) => Math.ceil(Buffer.byteLength(text) / (2 + (text.length % 7)))
  )

  it('never exceed it and never touch the others, whatever they hold and however tokens are counted', async () => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.boolean(),
        fc.integer({ min: 0, max: 4_000 }),
        fc.integer({ min: 0, max: 1_000 }),
        counters,
        async (text, isFirst, bytes, tokens, count) => {
          const block = isFirst ? '' : BLOCK
          const countTokens = (each: string): Promise<number> => Promise.resolve(count(each))
          const extra = await notesExtra(block, headOf(text), { bytes, tokens, countTokens })
          if (extra === null) {
            const marker = extraMemoryText(block, {
              path: NOTES_PATH,
              pinned: false,
              text: `[Cut here: the file has ${Buffer.byteLength(text)} bytes. ${MARKER}`
            })
            expect(Buffer.byteLength(marker) > bytes || count(marker) > tokens).toBe(true)
            return
          }
          expect(Buffer.byteLength(extra.text)).toBeLessThanOrEqual(bytes)
          expect(count(extra.text)).toBeLessThanOrEqual(tokens)
          expect(extra.text).not.toMatch(/\p{Surrogate}/u)
          const parted = partHotMemoryBlock(block + extra.text, NOTES_PATH)
          if (!isFirst) expect(parted.others).toBe(block)
          expect(parted.own.match(/<\/\s*memory/gi)).toHaveLength(1)
          const plain = (each: string): string => each.replaceAll('<\\/', '</')
          const inside = parted.own.split('\n').slice(1, -1).join('\n')
          if (!extra.isCut) expect(plain(inside)).toBe(plain(text).trimEnd())
          else {
            const at = inside.lastIndexOf('[Cut here: ')
            expect(inside.slice(at)).toBe(`[Cut here: the file has ${Buffer.byteLength(text)} bytes. ${MARKER}`)
            expect(plain(text).startsWith(plain(inside.slice(0, at)).trimEnd())).toBe(true)
          }
          expect(await notesExtra(block, headOf(text), { bytes, tokens, countTokens })).toEqual(extra)
        }
      ),
      { seed: 5107, numRuns: 300 }
    )
  })
})

describe('N-1 the file that is read for them', () => {
  const NAME = 'context-notes.md'

  it('gives its text, size and time; a file of any length gives its beginning', async () => {
    const temp = tempMemories()
    temp.put('workspace', NAME, '\uFEFF# Notes\r\n')
    expect(await readMemoryHead(temp.store, NOTES_PATH)).toMatchObject({
      ok: true,
      value: { path: NOTES_PATH, text: '\uFEFF# Notes\r\n', isWhole: true, bytes: 12, modifiedAtMs: expect.any(Number) }
    })
    for (const before of ['', 'x', 'xx', 'xxx']) {
      const text = before + '🌊'.repeat(MAX_MEMORY_FILE_BYTES / 4)
      temp.put('workspace', NAME, text)
      const read = await readMemoryHead(temp.store, NOTES_PATH)
      if (!read.ok) throw new Error(read.error.message)
      const isWhole = before === ''
      expect(read.value).toMatchObject({ isWhole, bytes: MAX_MEMORY_FILE_BYTES + before.length })
      expect(read.value.text).toBe(isWhole ? text : text.slice(0, -2))
      const extra = await notesExtra(BLOCK, read.value, ALLOWANCE)
      expect(extra?.text).toContain(isWhole ? MARKER : 'too many for the memory tool')
    }
  })

  it('is none where it is missing, a folder, a link or not text, at its beginning or further on', async () => {
    const temp = tempMemories()
    const kindOf = async (): Promise<string> => {
      const read = await readMemoryHead(temp.store, NOTES_PATH)
      return read.ok ? 'read' : read.error.kind
    }
    expect(await kindOf()).toBe('missing')
    for (const bytes of [
      [0xff, 0xfe],
      [0x23, 0x00],
      [...Buffer.from('x'.repeat(20_000)), 0xc3]
    ]) {
      temp.put('workspace', NAME, new Uint8Array(bytes))
      expect(await kindOf()).toBe('refused')
    }
    temp.put('workspace', NAME, Buffer.concat([Buffer.from([0xc3]), Buffer.alloc(MAX_MEMORY_FILE_BYTES, 'x')]))
    expect(await kindOf()).toBe('refused')
    const other = tempMemories()
    other.put('workspace', `${NAME}/inside.md`, 'x')
    expect(await readMemoryHead(other.store, NOTES_PATH)).toMatchObject({ ok: false, error: { kind: 'refused' } })
    const linked = tempMemories()
    linked.put('workspace', 'real.md', 'x')
    symlinkSync(linked.fileOf('workspace', 'real.md'), linked.fileOf('workspace', NAME))
    expect(await readMemoryHead(linked.store, NOTES_PATH)).toMatchObject({ ok: false, error: { kind: 'refused' } })
  })
})
