// Owns the words on a tool card's one line: verb, target, result. Pure; reads only what it shows.
import type { ToolPart } from '@common/rows/row-schema'
import { readSkillPointers } from '@common/rows/skill-pointer'
import { bytesText, countText } from '../../ui/format'
import { historyLine, historyResult } from './history-texts'
import { fieldOf, listField, numberField, textField } from './tool-fields'

export interface ToolLine {
  readonly verb: string
  /** What it acts on, in one line; empty when there is nothing to say. */
  readonly target: string
  /** The target is prose and not code. */
  readonly prose: boolean
}

/** Longest target that is put on the page: more than any line shows. */
const MAX_TARGET_CHARS = 300

/** Verb and target of a tool call. */
export function toolLineOf(part: ToolPart): ToolLine {
  const { toolName, input } = part
  const text = (name: string) => textField(input, name) ?? ''
  switch (toolName) {
    case 'bash':
      return line('bash', firstLine(text('command')))
    case 'file_read':
      return line('read', text('path') + rangeOf(input))
    case 'file_write':
      return line('write', text('path'))
    case 'file_edit':
      return line('edit', text('path'))
    case 'glob':
      return line('glob', joined(text('pattern'), text('path')))
    case 'grep':
      return line('grep', joined(text('pattern'), text('path') || text('glob')))
    case 'todo':
      return line('todo', currentTodo(input), true)
    case 'ask_user':
      return line('ask', firstLine(text('question')), true)
    case 'memory':
      return line('memory', memoryWords(input), true)
    case 'session_history':
      return line('history', historyLine(input), true)
    case 'web_fetch':
      return line('fetch', text('url'))
    case 'task':
      return line('task', firstLine(text('prompt') || text('description')), true)
    default:
      return line(toolName, firstWords(input))
  }
}

/** The result in a few words, or null when the state says it all. */
export function toolResultOf(part: ToolPart): string | null {
  if (part.state !== 'output-available') return null
  const { output } = part
  const number = (name: string) => numberField(output, name)
  switch (part.toolName) {
    case 'bash': {
      if (fieldOf(output, 'timed_out') === true) return 'timed out'
      if (fieldOf(output, 'background') !== undefined) return 'in the background'
      const exitCode = number('exit_code')
      return exitCode === null || exitCode === 0 ? null : `exit ${exitCode}`
    }
    case 'file_read': {
      const [first, last] = [number('first_line'), number('last_line')]
      return first === null || last === null ? null : countText(Math.max(0, last - first + 1), 'line')
    }
    case 'file_write':
    case 'file_edit': {
      const [added, removed] = [number('added'), number('removed')]
      return added === null || removed === null ? null : `+${added} −${removed}`
    }
    case 'glob':
      return counted(number('total'), 'file', 'files')
    case 'grep':
      return counted(number('total'), 'match', 'matches')
    case 'todo': {
      const items = listField(output, 'items')
      return `${items.filter((item) => textField(item, 'status') === 'completed').length} of ${items.length} done`
    }
    case 'memory':
      return memoryResult(output)
    case 'session_history':
      return historyResult(output)
    default:
      return null
  }
}

/** How many skills the call pointed out, in words; null for none. */
export function skillWordsOf(part: ToolPart): string | null {
  const { length } = readSkillPointers(part.skillPointers)
  if (length === 0) return null
  return length === 1 ? '+ skill' : `+ ${length} skills`
}

function memoryResult(output: unknown): string | null {
  const [total, lines, bytes] = [
    numberField(output, 'total'),
    numberField(output, 'total_lines'),
    numberField(output, 'bytes')
  ]
  if (total !== null) return counted(total, 'memory', 'memories')
  if (lines !== null) return countText(lines, 'line')
  return bytes === null ? null : bytesText(bytes)
}

function line(verb: string, target: string, prose = false): ToolLine {
  return { verb, target: target.slice(0, MAX_TARGET_CHARS), prose }
}

function firstLine(text: string): string {
  const trimmed = text.trim()
  const end = trimmed.indexOf('\n')
  return end === -1 ? trimmed : `${trimmed.slice(0, end)} …`
}

function rangeOf(input: unknown): string {
  const offset = numberField(input, 'offset')
  const limit = numberField(input, 'limit')
  if (offset === null && limit === null) return ''
  const first = offset ?? 1
  return limit === null ? `:${first}–` : `:${first}–${first + limit - 1}`
}

function joined(pattern: string, place: string): string {
  return place === '' ? pattern : `${pattern} in ${place}`
}

function counted(count: number | null, noun: string, plural: string): string | null {
  if (count === null) return null
  return count === 0 ? `no ${plural}` : countText(count, noun, plural)
}

function currentTodo(input: unknown): string {
  const items = listField(input, 'items')
  const current = items.find((item) => textField(item, 'status') === 'in_progress')
  return textField(current ?? items.at(-1), 'content') ?? ''
}

const MEMORY_VERBS: Readonly<Record<string, string>> = {
  view: 'read',
  create: 'wrote',
  str_replace: 'changed',
  insert: 'added to',
  delete: 'deleted',
  rename: 'renamed'
}

function memoryWords(input: unknown): string {
  const command = textField(input, 'command') ?? ''
  const path = textField(input, 'path') ?? textField(input, 'old_path') ?? '/memories'
  const newPath = textField(input, 'new_path')
  const verb = Object.hasOwn(MEMORY_VERBS, command) ? MEMORY_VERBS[command] : command
  return `${verb} ${path}${newPath === null ? '' : ` to ${newPath}`}`.trim()
}

/** The first text in an input that this version does not know. */
function firstWords(input: unknown): string {
  if (typeof input === 'string') return firstLine(input)
  if (typeof input !== 'object' || input === null) return ''
  const found = Object.values(input).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof found === 'string' ? firstLine(found) : ''
}
