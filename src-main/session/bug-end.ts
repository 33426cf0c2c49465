// Owns how a turn ends that broke by a bug of ours: it is logged, told, and the session goes on in idle.
import type { Log } from '../files/log'
import type { TurnEnd } from './turn-context'

const MESSAGE =
  'Tidemark made a mistake and stopped the turn; what was said is kept. The log in the home folder holds the details.'

export function bugEnd(bug: unknown, at: { log: Log; workspaceId: string; windowId: string }): TurnEnd {
  const stack = bug instanceof Error ? bug.stack : ''
  at.log.error('turn-broke', { workspaceId: at.workspaceId, error: String(bug), stack })
  return { outcome: 'failed', reason: 'internal', message: MESSAGE, windowId: at.windowId, requests: 0 }
}
