// Owns how a batch from main changes the whole state. Pure; effects that a batch asks for are listed by
// `effectsOf` and carried out by actions.
import type { EventBatch, SessionEvent } from '@common/contract/events'
import { applyBatch } from './apply-batch'
import { applyAppEvent, withNotice } from './apply-app-event'
import type { AppState } from './app-state'

export type BatchEffect =
  | { readonly kind: 'reopen'; readonly workspaceId: string }
  | { readonly kind: 'reload-models' }
  | { readonly kind: 'reload-memories'; readonly workspaceId: string }
  | { readonly kind: 'shell-command'; readonly command: string; readonly argument: string | null }

/** The state after a batch of either channel. */
export function receiveBatch(state: AppState, batch: EventBatch): AppState {
  if (batch.channel === 'app') return batch.events.reduce(applyAppEvent, state)
  let next = state
  for (const event of batch.events)
    if (event.type === 'notice') next = withNotice(next, event.notice, batch.workspaceId)
  const session = next.sessions[batch.workspaceId]
  if (session === undefined) return next
  const applied = applyBatch(session, batch)
  return applied === session ? next : { ...next, sessions: { ...next.sessions, [batch.workspaceId]: applied } }
}

/** What a batch asks to be done, seen from the states before and after it. */
export function effectsOf(before: AppState, after: AppState, batch: EventBatch): BatchEffect[] {
  if (batch.channel === 'session') {
    const { workspaceId } = batch
    const wasOpening = before.sessions[workspaceId]?.link.kind === 'opening'
    const isOpening = after.sessions[workspaceId]?.link.kind === 'opening'
    const effects: BatchEffect[] = !wasOpening && isOpening ? [{ kind: 'reopen', workspaceId }] : []
    if (after.memories?.workspaceId === workspaceId && batch.events.some(mayChangeMemories))
      effects.push({ kind: 'reload-memories', workspaceId })
    return effects
  }
  return batch.events.flatMap((event): BatchEffect[] => {
    if (event.type === 'providers-changed') return [{ kind: 'reload-models' }]
    if (event.type === 'shell-command')
      return [{ kind: 'shell-command', command: event.command, argument: event.argument }]
    return []
  })
}

/** An agent used or changed a memory, or a turn ended: its window may have begun, with memories preloaded. */
function mayChangeMemories(event: SessionEvent): boolean {
  return (event.type === 'tool-settled' && event.toolName === 'memory') || event.type === 'turn-ended'
}
