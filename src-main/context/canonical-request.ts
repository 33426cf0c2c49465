// Owns what stands for a request in the log: digests of its system text, tools and messages (V-1). Pure, and remembered
// by identity: messages and tools are values, so a request pays for its new messages alone.
// Without cache marks, since the prompt that it is given holds none.
import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import { canonicalJson, sha256Of } from './canonical-json'
import type { MessageDigest, TextDigest, ToolDigest } from './request-log-lines'

export interface RequestDigest {
  /** Of the text itself, so that it is also the name of its part on disk. */
  readonly system: TextDigest
  /** In the order in which they are advertised. */
  readonly tools: readonly ToolDigest[]
  /** Of every message but the system's, in order. */
  readonly messages: readonly MessageDigest[]
}

const messageDigests = new WeakMap<LanguageModelV3Message, MessageDigest>()
/** The last step of a chain that went over a digest: a request that grows pays for its new messages. */
const links = new WeakMap<MessageDigest, { readonly before: string; readonly after: string }>()

/** The digests of a prompt. */
export function digestPrompt(prompt: LanguageModelV3Prompt): Omit<RequestDigest, 'tools'> {
  return {
    system: digestText(systemTextOf(prompt)),
    messages: digestMessages(prompt.filter(({ role }) => role !== 'system'))
  }
}

/** The digest of each message. */
export function digestMessages(messages: readonly LanguageModelV3Message[]): MessageDigest[] {
  return messages.map(messageDigestOf)
}

/** Bytes and hash of a text. */
export function digestText(text: string): TextDigest {
  return { bytes: Buffer.byteLength(text), sha256: sha256Of(text) }
}

/** One hash for a list of messages in order: each step hashes the one before with the next message's hash. */
export function chainOf(messages: readonly MessageDigest[]): string {
  return messages.reduce((before, message) => {
    const known = links.get(message)
    if (known?.before === before) return known.after
    const after = sha256Of(`${before} ${message.sha256}`)
    links.set(message, { before, after })
    return after
  }, '')
}

function messageDigestOf(message: LanguageModelV3Message): MessageDigest {
  const known = messageDigests.get(message)
  if (known !== undefined) return known
  const digest = { role: message.role, ...digestText(canonicalJson(message)) }
  messageDigests.set(message, digest)
  return digest
}

/** Empty where it has none. */
function systemTextOf(prompt: LanguageModelV3Prompt): string {
  const [first] = prompt
  return first?.role === 'system' ? first.content : ''
}
