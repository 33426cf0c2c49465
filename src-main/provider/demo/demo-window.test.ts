import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { NOTES_PATH } from '@common/memory/notes-path'
import { leadInRequest, segmentKindOf } from './machine-text'
import { demoTurn, greeterProject } from './testing/greeter-project'
import { changeNoticeOf, CONTINUE, leadInOf, SKILL, warningOf } from './testing/machine-rows'

const WARNING = warningOf(true)
const WARNING_WITHOUT_MEMORY = warningOf(false)

const userTexts = (...texts: string[]): ModelMessage[] => [
  { role: 'user', content: texts.map((text) => ({ type: 'text', text })) }
]

describe('the app’s own rows, told by their words', () => {
  it.each([
    [WARNING, 'warning'],
    [WARNING_WITHOUT_MEMORY, 'warning'],
    [leadInOf('run the tests'), 'lead-in'],
    [CONTINUE, 'continue'],
    ['Continue the interrupted task where you left off.', 'continue'],
    ['Continue with the docs folder', 'person'],
    ['What does the window w:0 hold about tokens and notes?', 'person'],
    ['Explain how a rollover to a new window works', 'person'],
    ['Attached file a.txt:\n\nhello', 'attachment'],
    ['src/a.ts, mentioned in the next message, as it is now (1 lines, 6 bytes):\n\nhello', 'attachment'],
    [SKILL, 'attachment'],
    [changeNoticeOf('src/a.ts'), 'notice'],
    ['Which files changed on disk since yesterday, and why did nobody tell me? '.repeat(2), 'person']
  ])('reads %j as %s', (text, kind) => {
    expect(segmentKindOf(text)).toBe(kind)
  })
})

const LONG_RESULT = { toolName: 'file_read', itemId: 'i:3' }

describe('R-1 the request that a lead-in quotes', () => {
  it.each([
    ['ls', 'ls'],
    ['What does “greet” say in w:0?', 'What does "greet" say in w:0?'],
    ['Read README.md,\nthen count its lines', 'Read README.md,\nthen count its lines'],
    [`Read README.md ${'and again '.repeat(60)}`, `Read README.md ${'and again '.repeat(60)}`.slice(0, 500).trim()]
  ])('is read whole: %j', (request, read) => {
    for (const sealedResult of [null, LONG_RESULT])
      expect(leadInRequest(leadInOf(request, { sealedResult, previousWindowId: 'w:m:7f-1' }))).toBe(read)
  })

  it('is the message that begins the window where one does, and none where nobody asked', () => {
    expect(leadInRequest(leadInOf('run the tests', { inputText: 'find TODO' }))).toBe('find TODO')
    expect(leadInRequest(leadInOf('', { interrupted: null, sealedResult: LONG_RESULT }))).toBe('')
  })
})

describe('when the window fills (W-1)', () => {
  it('writes notes with real outcomes first, then goes on without repeating a call', async () => {
    const root = greeterProject()
    const first = await demoTurn(root, 'run the tests')
    const midTurn = first.messages.slice(0, -1)
    const turn = await demoTurn(root, userTexts(WARNING, CONTINUE), { earlier: midTurn })
    expect(turn.called).toEqual(['memory'])
    const notes = turn.memories.get(NOTES_PATH) ?? ''
    expect(notes).toContain('Request: “run the tests”')
    expect(notes).toContain('bash “npm test”: exit code 3')
    expect(Buffer.byteLength(notes)).toBeLessThan(8_192)
    expect(turn.text).toContain('exit code **3**')
  })

  it('replaces older notes where the memory tool refuses to overwrite', async () => {
    const root = greeterProject()
    const turn = await demoTurn(root, userTexts('read README.md', WARNING, 'write your notes'), {})
    expect(turn.memories.get(NOTES_PATH)).toContain('# Working notes')
    // The same tool refuses a second create; the demo deletes and creates.
    expect(turn.called).toEqual(['memory', 'memory', 'memory', 'memory'])
  })

  it('goes on at once where there is no memory, or it cannot be written', async () => {
    const root = greeterProject()
    const none = await demoTurn(root, userTexts(WARNING_WITHOUT_MEMORY, 'find TODO'), { only: ['grep'] })
    expect(none.called).toEqual(['grep'])
    const readOnly = await demoTurn(root, userTexts(WARNING, 'find TODO'), { deny: { memory: 'Memory is read-only.' } })
    expect(readOnly.called).toEqual(['memory', 'grep'])
    expect(readOnly.text).toContain('`TODO` is there **1 time**')
  })
})

describe('after a rollover (R-1)', () => {
  it('takes the quoted request up again, reading little', async () => {
    const turn = await demoTurn(greeterProject(), userTexts(leadInOf('explain src/greet.js'), CONTINUE))
    expect(turn.calls).toEqual(['file_read {"path":"src/greet.js","offset":1,"limit":60}'])
    expect(turn.text).toContain('`function greet`')
  })

  it('reads on where it stopped: what notes and history know is not read again', async () => {
    const root = greeterProject()
    const hit = { item_id: 'i:4', window_id: 'w:0', role: 'assistant', tool_name: 'file_read', snippet: 'file_read' }
    const history = ({ query }: Record<string, unknown>): unknown => ({
      items: String(query).includes('"docs/notes.md"') ? [hit] : []
    })
    const request = 'read every file here, “please”'
    const first = await demoTurn(root, userTexts(request, WARNING), { only: ['glob', 'memory'] })
    const notes = (first.memories.get(NOTES_PATH) ?? '').replace(
      '## Done\n',
      '## Done\n- file_read “check.js”: 2 lines\n'
    )
    const system = `You have a memory.\n\n<memory path="${NOTES_PATH}">\n${notes.trimEnd()}\n</memory>`
    const turn = await demoTurn(root, userTexts(leadInOf(request), CONTINUE), { history, system })
    const reads = ['package.json', 'README.md', 'src/greet.js', 'src/index.js'].map(
      (path) => `file_read {"path":"${path}"}`
    )
    expect(turn.called.slice(0, 3)).toEqual(['glob', 'session_history', 'session_history'])
    expect(turn.calls.slice(3)).toEqual(reads)
    expect(turn.text).toContain(
      '2 files matching `**/*` I had read before this window began (1 by my notes, 1 by the history)'
    )

    const again = await demoTurn(root, userTexts(leadInOf(request), WARNING, CONTINUE), { history, system })
    expect(again.memories.get(NOTES_PATH)).toContain('- file_read “check.js”: 2 lines')
    const other = await demoTurn(root, userTexts(leadInOf('read every file in src'), CONTINUE), {
      history,
      system
    })
    expect(other.calls).toContain('file_read {"path":"src/greet.js"}')
  })

  it('answers a new request instead when one carries the rollover', async () => {
    const turn = await demoTurn(greeterProject(), userTexts(leadInOf('read every file in src'), 'find TODO'))
    expect(turn.called).toEqual(['grep'])
  })

  it('looks up whether an effect happened before it does it again', async () => {
    const history = ({ action }: Record<string, unknown>): unknown =>
      action === 'search'
        ? {
            items: [
              { item_id: 'i:1', window_id: 'w:0', role: 'user', tool_name: null, snippet: 'run `node check.js`' },
              {
                item_id: 'i:3',
                window_id: 'w:0',
                role: 'assistant',
                tool_name: 'bash',
                snippet: 'bash {"command":"node check.js"}'
              }
            ]
          }
        : { item: { item_id: 'i:3', window_id: 'w:0', text: 'bash {"command":"node check.js"} 2 passed' } }
    const done = await demoTurn(greeterProject(), userTexts(leadInOf('run `node check.js`'), CONTINUE), { history })
    expect(done.called).toEqual(['session_history', 'session_history'])
    expect(done.text).toContain('I did not do it again')
    expect(done.text).toContain('2 passed')
    const notDone = await demoTurn(greeterProject(), userTexts(leadInOf('run `node check.js`'), CONTINUE), {
      history: () => ({ items: [] })
    })
    expect(notDone.called).toEqual(['session_history', 'bash'])
  })
})

describe('looking back', () => {
  const earlier: ModelMessage[] = [
    { role: 'user', content: 'The code word is heron. Thanks.' },
    { role: 'assistant', content: 'Noted.' }
  ]

  it('quotes what is in sight without a tool', async () => {
    const turn = await demoTurn(greeterProject(), 'What is the code word I told you?', { earlier })
    expect(turn.called).toEqual([])
    expect(turn.text).toContain('The code word is heron')
  })

  it('fetches from the history what is not, word for word, passing over the question itself', async () => {
    const question = 'What is the code word I told you?'
    const history = ({ action, item_id }: Record<string, unknown>): unknown =>
      action === 'search'
        ? {
            items: [
              { item_id: 'i:9', window_id: 'w:7', role: 'user', tool_name: null, snippet: question },
              { item_id: 'i:1', window_id: 'w:0', role: 'user', tool_name: null, snippet: 'The code word is heron' }
            ]
          }
        : { item: { item_id, window_id: 'w:0', text: 'The code word is heron. Thanks.' } }
    const turn = await demoTurn(greeterProject(), question, { history })
    expect(turn.called).toEqual(['session_history', 'session_history'])
    expect(turn.text).toContain('in window `w:0` (item `i:1`), word for word')
    expect(turn.text).toContain('heron')
  })

  it('lists the windows when nothing is named', async () => {
    const history = (): unknown => ({
      windows: [
        { window_id: 'w:12', kind: 'rollover', current: true, items: 4, opening: 'find TODO', opening_item_id: 'i:13' },
        { window_id: 'w:0', kind: 'root', current: false, items: 11, opening: 'hello there', opening_item_id: 'i:1' }
      ]
    })
    const turn = await demoTurn(greeterProject(), 'what did we do earlier?', { history, earlier })
    expect(turn.text).toContain('`w:0`, 11 items: “hello there”')
    expect(turn.text).toContain('The code word is heron')
  })

  it('says that nothing is left when it is told to go on after an answer', async () => {
    const root = greeterProject()
    const first = await demoTurn(root, 'find TODO')
    const turn = await demoTurn(root, 'continue', { earlier: first.messages })
    expect(turn.called).toEqual([])
    expect(turn.text).toContain('There is nothing left to do for “find TODO”')
  })

  it('sums a conversation up with what was asked and done', async () => {
    const root = greeterProject()
    const first = await demoTurn(root, 'find TODO')
    const turn = await demoTurn(root, 'Summarise our conversation so far', { earlier: first.messages })
    expect(turn.text).toContain('1 request, 1 tool call and 1 answer')
    expect(turn.text).toContain('“find TODO”')
    const bare = await demoTurn(root, 'You are asked to write a summary of the conversation above. '.repeat(12), {
      earlier: first.messages,
      only: []
    })
    expect(bare.text).toContain('“find TODO”')
    const later = await demoTurn(root, 'Summarise our conversation so far', {
      earlier: [{ role: 'user', content: bare.text }, ...(await demoTurn(root, 'ls')).messages]
    })
    expect(later.text).toContain('From before that:')
    expect(later.text).toContain('“find TODO”')
    expect(later.text).toContain('“ls”')
  })
})
