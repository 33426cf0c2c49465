// Owns what survives a compaction beside its summary (K-1, K-3): plan, to-do list, as they are at that moment, rendered
// once into one text. Never fails for what is on the disk; a failure leaves a section out, not the boundary.
import { POST_COMPACTION_CONTEXT_CHARS } from '@common/constants'
import type { PostCompactionContext } from '@common/rows/row-schema'
import type { TodoItem } from '@common/tools/tool-contracts'

export type PlanFile = {
  /** Relative to the project, with forward slashes. */
  readonly path: string
  readonly content: string
  readonly modifiedMs: number
}

export interface CarrySources {
  /** Null where there is none or it cannot be read. */
  readonly plan: PlanFile | null
  readonly todo: readonly TodoItem[]
  readonly nowMs: number
  countTokens(text: string): Promise<number>
}

const OPENING =
  'What was at hand when the conversation above was summarised. It is a snapshot: changes after it are told as they come.'

/** The context as it is stored on the boundary row; null where there is nothing to carry. The plan comes first. */
export async function renderPostCompactionContext(sources: CarrySources): Promise<PostCompactionContext | null> {
  const { plan, todo, nowMs } = sources
  const sections = [planSection(plan), todoSection(todo)].filter((section) => section !== null)
  if (sections.length === 0) return null
  const text = cutText([OPENING, ...sections].join('\n\n'))
  return {
    text,
    tokens: await sources.countTokens(text),
    ...(plan === null || !text.includes(plan.content) ? {} : { plan }),
    skillNames: [],
    builtAtMs: nowMs
  }
}

function planSection(plan: PlanFile | null): string | null {
  return plan === null ? null : `The plan (${plan.path}):\n\n${plan.content}`
}

function todoSection(todo: readonly TodoItem[]): string | null {
  if (todo.length === 0) return null
  return ['The to-do list:', ...todo.map(({ status, content }) => `- [${MARKS[status]}] ${content}`)].join('\n')
}

const MARKS = { pending: ' ', in_progress: '~', completed: 'x' } as const

/** At a character, with a marker. */
function cutText(text: string): string {
  if (text.length <= POST_COMPACTION_CONTEXT_CHARS) return text
  const marker = '\n[cut here]'
  const head = text.slice(0, POST_COMPACTION_CONTEXT_CHARS - marker.length)
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}${marker}`
}
