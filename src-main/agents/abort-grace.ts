// Owns that an interrupted call settles in time, also when its tool does not listen to the abort signal.
import { TOOL_ABORT_GRACE_MS } from '@common/constants'
import type { ToolOutcome } from '../tools/tool-types'

/** The tool's own outcome, or `interrupted` when it is silent for `graceMs` after the abort. */
export async function withAbortGrace(
  execute: () => Promise<ToolOutcome<unknown>>,
  toolName: string,
  abortSignal: AbortSignal,
  graceMs = TOOL_ABORT_GRACE_MS
): Promise<ToolOutcome<unknown>> {
  let timer: NodeJS.Timeout | undefined
  let onAbort = (): void => undefined
  const givenUp = new Promise<ToolOutcome<unknown>>((resolve) => {
    const message = `${toolName} was interrupted and did not end in time; it may still be at work.`
    onAbort = () => {
      timer = setTimeout(() => resolve({ kind: 'interrupted', message }), graceMs)
    }
    abortSignal.addEventListener('abort', onAbort, { once: true })
    if (abortSignal.aborted) onAbort()
  })
  try {
    return await Promise.race([execute(), givenUp])
  } finally {
    clearTimeout(timer)
    abortSignal.removeEventListener('abort', onAbort)
  }
}
