// Owns the shapes of pi's session lines, as written by its versions up to 2026-03 (badlogic/pi-mono, packages/ai).
// Loose: fields that are not named here are kept.
import { z } from 'zod'

const PiText = z.looseObject({ type: z.literal('text'), text: z.string() })
const PiImage = z.looseObject({ type: z.literal('image'), data: z.string(), mimeType: z.string() })
const PiThinking = z.looseObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  thinkingSignature: z.string().optional()
})
const PiToolCall = z.looseObject({
  type: z.literal('toolCall'),
  id: z.string(),
  name: z.string(),
  arguments: z.unknown()
})

export const PiUserBlock = z.discriminatedUnion('type', [PiText, PiImage])
export type PiUserBlock = z.infer<typeof PiUserBlock>
export const PiAssistantBlock = z.discriminatedUnion('type', [PiText, PiThinking, PiToolCall])
export type PiAssistantBlock = z.infer<typeof PiAssistantBlock>

/** `input` is the uncached part, as in our own usage. */
const PiUsage = z.looseObject({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  cost: z.looseObject({ total: z.number() }).optional()
})

export const PiUser = z.looseObject({
  role: z.literal('user'),
  content: z.union([z.string(), z.array(PiUserBlock)]),
  timestamp: z.number().optional()
})
export type PiUserMessage = z.infer<typeof PiUser>

export const PiAssistant = z.looseObject({
  role: z.literal('assistant'),
  content: z.array(PiAssistantBlock),
  api: z.string().optional(),
  provider: z.string(),
  model: z.string(),
  usage: PiUsage.optional(),
  stopReason: z.string().optional(),
  errorMessage: z.string().optional(),
  timestamp: z.number().optional()
})
export type PiAssistantMessage = z.infer<typeof PiAssistant>

export const PiToolResult = z.looseObject({
  role: z.literal('toolResult'),
  toolCallId: z.string(),
  toolName: z.string(),
  content: z.array(PiUserBlock),
  details: z.unknown().optional(),
  isError: z.boolean().optional(),
  timestamp: z.number().optional()
})
export type PiToolResultMessage = z.infer<typeof PiToolResult>
