// Owns the ids under which the calls of one request are sent. Pure: the same calls in order get the same ids.
import { safeToolCallId } from './convert-tool-part'

/** A call's id as it is sent: each only once in a request. */
export type NewCallId = (toolCallId: string) => string

/** Some servers number the calls of every answer from zero; endpoints refuse two calls of one id in a request. */
export function uniqueCallIds(): NewCallId {
  const uses = new Map<string, number>()
  const given = new Set<string>()
  return (toolCallId) => {
    for (;;) {
      const use = (uses.get(toolCallId) ?? 0) + 1
      uses.set(toolCallId, use)
      const id = safeToolCallId(use === 1 ? toolCallId : `${toolCallId}#${use}`)
      if (given.has(id)) continue
      given.add(id)
      return id
    }
  }
}
