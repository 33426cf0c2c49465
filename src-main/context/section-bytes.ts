// Owns what a request is made of as far as hashes tell: bytes by section, and tokens divided by them. Pure.
import { divideTokens } from '../costs/divide-tokens'
import type { LoggedRequest } from './request-log-reader'

/** Memories and notes are in `system`. Of canonical JSON, in which a picture stands as its hash. */
export type SectionBytes = Readonly<Record<'system' | 'tools' | 'messages' | 'toolResults', number>>

/** Null where the log does not tell it whole. */
export function sectionBytesOf({ envelope, messages, tools }: LoggedRequest): SectionBytes | null {
  if (messages === null || tools === null) return null
  const results = bytesOf(messages.filter(({ role }) => role === 'tool'))
  return {
    system: envelope.system.bytes,
    tools: bytesOf(tools),
    messages: bytesOf(messages) - results,
    toolResults: results
  }
}

/** Whole tokens that sum to the total. */
export function divideBySection(total: number, by: SectionBytes): SectionBytes {
  const weights = [by.system, by.tools, by.messages, by.toolResults]
  const [system = 0, tools = 0, messages = 0, toolResults = 0] = divideTokens(total, weights)
  return { system, tools, messages, toolResults }
}

/** Section by section. */
export function addSections(a: SectionBytes, b: SectionBytes): SectionBytes {
  return {
    system: a.system + b.system,
    tools: a.tools + b.tools,
    messages: a.messages + b.messages,
    toolResults: a.toolResults + b.toolResults
  }
}

function bytesOf(digests: readonly { readonly bytes: number }[]): number {
  return digests.reduce((sum, { bytes }) => sum + bytes, 0)
}
