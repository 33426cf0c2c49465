// Owns how the tokens of a request divide into what a person knows by name (U-6, V-3): the sections sum to the count.
// A joined text may take other tokens than its parts: memories and notes are counted by themselves, and *system* is
// given the rest of the system text.
import { ok } from '@common/result'
import type { Result } from '@common/result'
import { measureRequest } from './count-request'
import type { CountableRequest, CountingWith, RequestItem } from './count-request'
import type { EncoderFailure } from './count-tokens'

export type RequestSection = 'system' | 'memories' | 'notes' | 'tools' | 'messages' | 'toolResults' | 'files'

export interface SectionTokens {
  /**
   * Tokens of each section, none below 0. `messages`: what was said and called, attached texts too. `toolResults`: what
   * tools gave. `files`: pictures and documents of both.
   */
  readonly sections: Readonly<Record<RequestSection, number>>
  /** Their sum, the count of the request. */
  readonly tokens: number
  /** The model's own tokenizer is not public; a stand-in counted. */
  readonly estimated: boolean
}

/** What stands in the system text besides agent, surroundings and instructions; '' for what does not. */
export interface SystemExtras {
  /** The block of hot memories, without the notes. */
  readonly memories: string
  /** The agent's working notes. */
  readonly notes: string
}

/** The tokens of a request by section, or why they cannot be known. */
export async function countSections(
  request: CountableRequest,
  extras: SystemExtras,
  using: CountingWith
): Promise<Result<SectionTokens, EncoderFailure>> {
  const measured = await measureRequest(request, using)
  if (!measured.ok) return measured
  const counted = await using.counter.countMany([extras.memories, extras.notes], using.encoding)
  if (!counted.ok) return counted
  const { tokensOf, mediaTokensOf, estimated } = measured.value
  const sections: Record<RequestSection, number> = {
    system: 0,
    memories: 0,
    notes: 0,
    tools: sum(request.tools, tokensOf),
    messages: 0,
    toolResults: 0,
    files: sum(request.prompt, mediaTokensOf)
  }
  for (const message of request.prompt) {
    const section = message.role === 'system' ? 'system' : message.role === 'tool' ? 'toolResults' : 'messages'
    sections[section] += tokensOf(message) - mediaTokensOf(message)
  }
  const [memories = 0, notes = 0] = counted.value
  sections.memories = Math.min(memories, sections.system)
  sections.notes = Math.min(notes, sections.system - sections.memories)
  sections.system -= sections.memories + sections.notes
  return ok({ sections, tokens: Object.values(sections).reduce((total, tokens) => total + tokens, 0), estimated })
}

function sum(items: readonly RequestItem[], measure: (item: RequestItem) => number): number {
  return items.reduce((total, item) => total + measure(item), 0)
}
