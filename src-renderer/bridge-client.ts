// Owns the way from the window to main. A broken channel becomes an ordinary failed answer, so that no
// caller has two kinds of failure to handle.
import type { Answer, Bridge } from '@common/contract/bridge'
import type { RequestInput, RequestName, RequestOutput } from '@common/contract/requests'

/** The preload's bridge, or one that answers every request with why it is not there. */
export function windowBridge(exposed: Bridge | undefined): Bridge {
  if (exposed === undefined) return { request: () => Promise.resolve(NOT_THERE), onEvent: () => () => undefined }
  return {
    request: (name, input) => settled(exposed, name, input),
    onEvent: (listener) => exposed.onEvent(listener)
  }
}

const NOT_THERE: Answer<never> = {
  ok: false,
  error: { kind: 'internal', message: 'This page was opened outside of Tidemark. Start the app instead.' }
}

async function settled<Name extends RequestName>(
  bridge: Bridge,
  name: Name,
  input: RequestInput<Name>
): Promise<Answer<RequestOutput<Name>>> {
  try {
    return await bridge.request(name, input)
  } catch (error) {
    console.error(`request ${name}`, error)
    return {
      ok: false,
      error: { kind: 'internal', message: `The app did not answer (${name}). Try again; if it goes on, restart it.` }
    }
  }
}
