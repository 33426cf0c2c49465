// Owns reading a prompt as the demo sees it: what is asked now, which calls of this turn are settled, whether
// the app warned that the window fills or has just opened a new one. Pure; knows no intent.
import type { LanguageModelV3Message, LanguageModelV3Prompt, LanguageModelV3ToolResultPart } from '@ai-sdk/provider'
import { NOTES_PATH } from '@common/memory/notes-path'
import type { DemoCall, DemoResult } from './demo-call'
import { type SegmentKind, leadInRequest, segmentKindOf, withoutSkillPointers } from './machine-text'

export interface SettledCall {
  readonly toolCallId: string
  readonly call: DemoCall
  readonly result: DemoResult
}

export interface Conversation {
  readonly system: string
  /** The request being worked on, in the person's words; empty when there is none. */
  readonly task: string
  /** The window was just opened in the middle of the task: what was done before is not in sight. */
  readonly resumed: boolean
  /** The app asked for notes, and none were written since. */
  readonly notesWanted: boolean
  /** The task was answered already and the last input only says to go on. */
  readonly answered: string | null
  /** Settled calls since the task was given, oldest first. */
  readonly settled: readonly SettledCall[]
  /** What the person asked before the task, oldest first. */
  readonly earlier: readonly string[]
  /** Everything said and done in sight before the task, oldest first. */
  readonly past: readonly PastItem[]
  /** A window id that the app named when it opened this one. */
  readonly previousWindowId: string | null
}

export interface PastItem {
  readonly by: 'person' | 'assistant' | 'tool'
  readonly text: string
}

interface Segment {
  readonly messageIndex: number
  readonly kind: SegmentKind
  readonly text: string
}

export function readConversation(prompt: LanguageModelV3Prompt): Conversation {
  const segments = segmentsOf(prompt)
  const person = segments.filter((segment) => segment.kind === 'person')
  const leadIn = segments.findLast((segment) => segment.kind === 'lead-in') ?? null
  const taskSegment = person.at(-1) ?? null
  const resumed = taskSegment === null && leadIn !== null
  const start = taskSegment?.messageIndex ?? leadIn?.messageIndex ?? prompt.length
  const settled = settledCalls(prompt.slice(start + 1))
  const lastUser = prompt.findLastIndex((message) => message.role === 'user')
  return {
    system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n'),
    task: taskSegment?.text ?? (leadIn === null ? '' : leadInRequest(leadIn.text)),
    resumed,
    notesWanted: wantsNotes(prompt, segments),
    answered: lastUser > start ? answerBefore(prompt, lastUser) : null,
    settled,
    earlier: person.slice(0, -1).map((segment) => segment.text),
    past: pastOf(prompt.slice(0, start), segments),
    previousWindowId: leadIn === null ? null : (/\bw:(?:m:[\w-]+|\d+)/.exec(leadIn.text)?.[0] ?? null)
  }
}

function segmentsOf(prompt: LanguageModelV3Prompt): Segment[] {
  return prompt.flatMap((message, messageIndex) => {
    if (message.role !== 'user') return []
    return message.content.flatMap((part): Segment[] =>
      part.type === 'text' && part.text.trim() !== ''
        ? [{ messageIndex, kind: segmentKindOf(part.text), text: part.text.trim() }]
        : []
    )
  })
}

function settledCalls(messages: readonly LanguageModelV3Message[]): SettledCall[] {
  const results = new Map<string, LanguageModelV3ToolResultPart>()
  for (const part of messages.flatMap(partsOf)) if (part.type === 'tool-result') results.set(part.toolCallId, part)
  return messages.flatMap(partsOf).flatMap((part): SettledCall[] => {
    if (part.type !== 'tool-call') return []
    const result = results.get(part.toolCallId)
    const input = typeof part.input === 'object' && part.input !== null ? (part.input as Record<string, unknown>) : {}
    const call = { toolName: part.toolName, input }
    return result === undefined ? [] : [{ toolCallId: part.toolCallId, call, result: resultOf(result.output) }]
  })
}

function resultOf(output: LanguageModelV3ToolResultPart['output']): DemoResult {
  switch (output.type) {
    case 'text':
      return { kind: 'done', value: withoutSkillPointers(output.value) }
    case 'json':
    case 'content':
      return { kind: 'done', value: output.value }
    case 'error-text':
      return { kind: 'failed', message: output.value }
    case 'error-json':
      return { kind: 'failed', message: JSON.stringify(output.value) ?? '' }
    case 'execution-denied':
      return { kind: 'failed', message: `denied: ${output.reason ?? 'no reason given'}` }
  }
}

/** Is the newest warning still without notes written after it? */
function wantsNotes(prompt: LanguageModelV3Prompt, segments: readonly Segment[]): boolean {
  const warning = segments.findLast((segment) => segment.kind === 'warning')
  if (warning === undefined) return false
  return !settledCalls(prompt.slice(warning.messageIndex + 1)).some(
    ({ call }) => call.toolName === 'memory' && call.input['path'] === NOTES_PATH && call.input['command'] !== 'view'
  )
}

/** The text of the assistant message right before `index`, when it ended without calling tools. */
function answerBefore(prompt: LanguageModelV3Prompt, index: number): string | null {
  const before = prompt[index - 1]
  if (before?.role !== 'assistant' || before.content.some((part) => part.type === 'tool-call')) return null
  return before.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function pastOf(messages: readonly LanguageModelV3Message[], segments: readonly Segment[]): PastItem[] {
  return messages.flatMap((message, index): PastItem[] => {
    if (message.role === 'user') {
      return segments
        .filter(
          (segment) => segment.messageIndex === index && (segment.kind === 'person' || segment.kind === 'summary')
        )
        .map(({ kind, text }) => ({ by: kind === 'person' ? 'person' : 'assistant', text }))
    }
    return partsOf(message).flatMap((part): PastItem[] => {
      if (part.type === 'text') return [{ by: 'assistant', text: part.text }]
      if (part.type === 'tool-call') return [{ by: 'tool', text: `${part.toolName} ${JSON.stringify(part.input)}` }]
      return []
    })
  })
}

type Part = Exclude<LanguageModelV3Message, { role: 'system' }>['content'][number]

function partsOf(message: LanguageModelV3Message): readonly Part[] {
  return message.role === 'system' ? [] : message.content
}
