// Owns what an approval shows and how a person answers it.
import { z } from 'zod'

/** What will run or change, exactly. */
export const ApprovalSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('command'), command: z.string(), cwd: z.string() }),
  z.object({ kind: z.literal('change'), path: z.string(), diff: z.string(), created: z.boolean() }),
  z.object({ kind: z.literal('read'), path: z.string() }),
  z.object({ kind: z.literal('other'), text: z.string() })
])
export type ApprovalSubject = z.infer<typeof ApprovalSubject>

export const ApprovalRequest = z.object({
  approvalId: z.string(),
  toolCallId: z.string(),
  toolName: z.string(),
  subject: ApprovalSubject,
  /** Why it is asked, in words: the mode, or a path outside the project, or a destructive pattern. */
  reason: z.string(),
  /** What `allow for the workspace` would allow, in words; null when it always asks. */
  workspaceGrant: z.string().nullable()
})
export type ApprovalRequest = z.infer<typeof ApprovalRequest>

export const ApprovalAnswer = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('once') }),
  z.object({ decision: z.literal('workspace') }),
  z.object({ decision: z.literal('deny'), message: z.string().max(4_000).nullable() })
])
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>

export const QuestionRequest = z.object({
  questionId: z.string(),
  toolCallId: z.string(),
  question: z.string(),
  options: z.array(z.string())
})
export type QuestionRequest = z.infer<typeof QuestionRequest>
