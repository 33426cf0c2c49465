// Owns the plans about the conversation's own past: recalling, summing up, notes, and finding out after a
// rollover what was done already. What is in sight is quoted; what is sealed is fetched by session_history.
import { NOTES_PATH } from '@common/memory/notes-path'
import { type DemoPlan, type DemoResult, type DemoStep, callOne, whyNot } from './demo-call'
import { SUMMARY_START } from './machine-text'
import { doneInNotes, requestLine } from './own-notes'
import type { Conversation, SettledCall } from './read-conversation'
import { type HistoryHit, fileOf, hitsOf, itemOf, outputOf, windowsOf } from './tool-facts'
import { bullets, code, fence, joined, plural, quoteOf } from './wording'

/** A page of an item; longer ones are cut and the rest is fetched by nobody who only asked a question. */
const ITEM_CHARS = 2_000
/** Calls that the notes name: some more than one request makes. */
const NOTED_CALLS = 20
const NOTHING = 'nothing yet'
/** An older summary is kept, but must leave room for the newer part. */
const OLDER_SUMMARY_CHARS = 2_500

type Part<T> = Generator<DemoStep, T, readonly DemoResult[]>

export function* planRecall(
  intent: { words: readonly string[]; first: boolean },
  conversation: Conversation
): DemoPlan {
  const inSight = intent.first ? null : findInSight(intent.words, conversation)
  if (inSight !== null) return inSight
  if (intent.words.length > 0 && !intent.first) {
    for (const word of intent.words.slice(0, 3)) {
      const hit = (yield* searchHistory(word, conversation)).find((candidate) => !repeatsTask(candidate, conversation))
      if (hit !== undefined) return yield* quoteHit(hit)
    }
  }
  const listed = yield* callOne(
    { toolName: 'session_history', input: { action: 'list_windows' } },
    { think: 'The history lists the windows of this conversation and how each began.' }
  )
  const windows = windowsOf(listed)
  if (windows.length === 0) return visibleOnly(conversation, listed)
  const openings = windows.map(
    (window) =>
      `${code(window.window_id)}${window.current === true ? ' (this one)' : ''}${window.items == null ? '' : `, ${plural(window.items, 'item')}`}${window.opening == null ? '' : `: ${quoteOf(window.opening, 160)}`}`
  )
  const found =
    intent.words.length > 0 && !intent.first
      ? `I found nothing about ${intent.words.slice(0, 3).map(code).join(', ')} in the history. `
      : ''
  const visible =
    conversation.earlier.length === 0
      ? ''
      : `\n\nIn this window you asked before:\n\n${bullets(conversation.earlier.slice(-8).map((text) => quoteOf(text, 160)))}`
  return `${found}This conversation has ${plural(windows.length, 'window')}:\n\n${bullets(openings)}${visible}`
}

function findInSight(words: readonly string[], { past }: Conversation): string | null {
  if (words.length === 0) return null
  const scored = past
    .filter((item) => item.by !== 'tool')
    .map((item) => ({
      item,
      score: words.filter((word) => item.text.toLowerCase().includes(word.toLowerCase())).length
    }))
    .filter(({ score }) => score * 2 >= words.length && score > 0)
    .toSorted((a, b) => b.score - a.score || Number(b.item.by === 'person') - Number(a.item.by === 'person'))
  const best = scored[0]?.item
  if (best === undefined) return null
  return best.by === 'person'
    ? `You said, in this window: ${quoteOf(best.text, 600)}`
    : `I said, in this window: ${quoteOf(best.text, 600)}`
}

function* searchHistory(query: string, { previousWindowId }: Conversation): Part<HistoryHit[]> {
  const result = yield* callOne(
    { toolName: 'session_history', input: { action: 'search', query, limit: 8 } },
    {
      think: `${query} is not in sight${previousWindowId === null ? '' : ' of this new window'}. The history can be searched for it.`
    }
  )
  return hitsOf(result)
}

/** The question itself stands in the history too, and so do the calls that look for its answer. */
function repeatsTask(hit: HistoryHit, { task }: Conversation): boolean {
  const squeeze = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase()
  return hit.tool_name === 'session_history' || squeeze(hit.snippet).includes(squeeze(task).slice(0, 80))
}

function* quoteHit(hit: HistoryHit): DemoPlan {
  const read = yield* callOne(
    { toolName: 'session_history', input: { action: 'read_item', item_id: hit.item_id, limit_chars: ITEM_CHARS } },
    { think: `${hit.item_id} of window ${hit.window_id} speaks of it; I read it word for word.` }
  )
  const text = itemOf(read)?.text ?? hit.snippet
  const who = hit.role === 'user' ? 'You said' : 'I said or did'
  return `${who}, in window ${code(hit.window_id)} (item ${code(hit.item_id)}), word for word:\n\n${fence(text.length > ITEM_CHARS ? `${text.slice(0, ITEM_CHARS)}…` : text)}`
}

function visibleOnly({ earlier }: Conversation, listed: DemoResult): string {
  const why =
    listed.kind === 'done'
      ? 'The history names no windows'
      : `I cannot look into the history (${whyNot(listed, 'session_history')})`
  return earlier.length === 0
    ? `${why}, and nothing was asked before in this window.`
    : `${why}. In this window you asked:\n\n${bullets(earlier.slice(-12).map((text) => quoteOf(text, 200)))}`
}

/** What a window that is given up must hand on: an older summary whole, then requests, calls, the last answer. */
export function summaryText({ past, settled, earlier }: Conversation): string {
  const older = past.find((item) => item.text.startsWith(SUMMARY_START))?.text
  const asked = earlier.slice(-20).map((text) => quoteOf(text, 200))
  const done = past.filter((item) => item.by === 'tool').map((item) => item.text)
  const answers = past.filter((item) => item.by === 'assistant' && !item.text.startsWith(SUMMARY_START))
  const last = answers.at(-1)?.text.trim() ?? ''
  const counts = [
    plural(earlier.length, 'request'),
    plural(done.length + settled.length, 'tool call'),
    plural(answers.length, 'answer')
  ]
  const parts = [`${SUMMARY_START}: ${joined(counts)}.`]
  if (older !== undefined) parts.push(`From before that:\n\n${fence(older.slice(0, OLDER_SUMMARY_CHARS))}`)
  if (asked.length > 0) parts.push(`Asked:\n\n${bullets(asked)}`)
  if (done.length > 0) {
    const calls = done.slice(-20).map((text) => code(text.length > 160 ? `${text.slice(0, 160)}…` : text))
    parts.push(`Done:\n\n${bullets(calls)}`)
  }
  if (last !== '') parts.push(`The last answer was: ${quoteOf(last, 600)}`)
  return parts.join('\n\n')
}

/** Writes the working notes: what was asked, what was done with which outcome, what is left (W-1, N-2). */
export function* planNotes(conversation: Conversation, next: string): DemoPlan {
  const file_text = notesText(conversation, next)
  const create = { toolName: 'memory', input: { command: 'create', path: NOTES_PATH, file_text } }
  const first = yield* callOne(create, { think: 'The window is filling. I write down what the next one must know.' })
  if (first.kind !== 'failed' || !/exist/i.test(first.message))
    return first.kind === 'done'
      ? `The notes are in ${code(NOTES_PATH)}.`
      : `I could not write the notes: ${whyNot(first, 'memory')}.`
  yield* callOne(
    { toolName: 'memory', input: { command: 'delete', path: NOTES_PATH } },
    { think: 'There are older notes; newer ones take their place.' }
  )
  const again = yield* callOne(create, { think: 'Now they can be written.' })
  return again.kind === 'done'
    ? `The notes are in ${code(NOTES_PATH)}.`
    : `I could not write the notes: ${whyNot(again, 'memory')}.`
}

/** From what was there before the notes are written, so that writing them does not change them. */
function notesText(conversation: Conversation, next: string): string {
  const { task, earlier, settled } = conversation
  const work = settled.filter(({ call }) => !['memory', 'session_history'].includes(call.toolName))
  // What older notes of this request say was done, stays: this window saw nothing of it.
  const done = [...new Set([...doneInNotes(conversation), ...work.map(doneText)])].filter((line) => line !== NOTHING)
  return [
    '# Working notes',
    '',
    requestLine(task),
    '',
    '## Done',
    bullets(done.length === 0 ? [NOTHING] : done.slice(-NOTED_CALLS)),
    '',
    '## Next',
    `- ${next}`,
    ...(earlier.length === 0
      ? []
      : ['', '## Asked before', bullets(earlier.slice(-6).map((text) => quoteOf(text, 160)))]),
    ''
  ].join('\n')
}

function doneText({ call, result }: SettledCall): string {
  const { path, command, pattern } = call.input
  const about = [path, command, pattern].find((value) => typeof value === 'string')
  return `${call.toolName}${about === undefined ? '' : ` ${quoteOf(about, 160)}`}: ${outcomeOf(call.toolName, result)}`
}

function outcomeOf(toolName: string, result: DemoResult): string {
  if (result.kind !== 'done') return whyNot(result, toolName)
  if (toolName === 'bash') {
    const output = outputOf('bash', result)
    const last = output?.output.trim().split('\n').at(-1) ?? ''
    return output === null
      ? 'done'
      : `exit code ${String(output.exit_code)}${last === '' ? '' : `, last line ${quoteOf(last, 120)}`}`
  }
  if (toolName === 'file_read') return plural(fileOf(result)?.totalLines ?? 0, 'line')
  if (toolName === 'glob' || toolName === 'grep')
    return plural(
      outputOf('glob', result)?.total ?? outputOf('grep', result)?.total ?? 0,
      toolName === 'glob' ? 'file' : 'match',
      toolName === 'glob' ? 'files' : 'matches'
    )
  return 'done'
}

/**
 * After a rollover in the middle of a task: what the history says of a step with a lasting effect, so that
 * nothing runs twice. Null when it was not done yet, or nobody can tell.
 */
export function* whatWasDone(trace: string, conversation: Conversation): Part<string | null> {
  const result = yield* callOne(
    { toolName: 'session_history', input: { action: 'search', query: trace, limit: 8 } },
    {
      think: 'This is a new window in the middle of a task. Before I do anything again, I look up whether it was done.'
    }
  )
  const hit = hitsOf(result).find(
    (candidate) => candidate.role !== 'user' && candidate.tool_name != null && !repeatsTask(candidate, conversation)
  )
  if (hit === undefined) return null
  const quoted = yield* quoteHit(hit)
  return `This was done before the window rolled over, so I did not do it again. ${quoted}`
}
