// Owns how a failed request reaches the person: one sentence as a notice, kept to be read again.
import type { Answer } from '@common/contract/bridge'
import type { RequestInput, RequestName, RequestOutput } from '@common/contract/requests'
import type { Notice } from '@common/contract/views'
import { withNotice } from '../apply-app-event'
import { change, type App } from '../app-store'

/** Shows a sentence as a toast and keeps it among the notices. */
export function report(app: App, level: Notice['level'], message: string, workspaceId: string | null = null): void {
  const notice: Notice = { id: crypto.randomUUID(), level, message, atMs: Date.now() }
  change(app, (state) => withNotice(state, notice, workspaceId))
}

/** Asks main; on a failure the person is told and null comes back. */
export async function ask<Name extends RequestName>(
  app: App,
  name: Name,
  input: RequestInput<Name>
): Promise<RequestOutput<Name> | null> {
  const answer: Answer<RequestOutput<Name>> = await app.bridge.request(name, input)
  if (answer.ok) return answer.value
  report(app, 'error', answer.error.message)
  return null
}
