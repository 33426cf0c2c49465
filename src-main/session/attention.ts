// Owns when a person who looks elsewhere is told: a turn ended, or something waits for them. Pure.
import type { WorkspaceView } from '@common/contract/views'

export interface Attention {
  readonly title: string
  readonly body: string
}

/** What the change from one view to the next is worth saying; null for nothing. */
export function attentionOf(before: WorkspaceView | undefined, after: WorkspaceView): Attention | null {
  if (before === undefined) return null
  if (after.waiting && !before.waiting) return { title: after.title, body: 'The agent asks for your answer.' }
  if (after.phase === 'idle' && before.phase !== 'idle') return { title: after.title, body: 'The turn has ended.' }
  return null
}
