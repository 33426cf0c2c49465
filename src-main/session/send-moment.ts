// Owns what a strategy is told before a send: the window, the input and the ways to try a request. Effects nothing.
import type { UsageLedger } from '@common/budget/usage-ledger'
import type { Row } from '@common/rows/row-schema'
import type { BeforeSend, WindowHandling } from '../context/context-strategy'
import { countRows } from '../context/count-rows'
import { prepareRequest } from '../context/prepare-request'
import type { TurnContext } from './turn-context'
import type { SentInput } from './turn-progress'
import type { FreshSystem } from './window-system'

export interface SendMoment {
  readonly moment: BeforeSend
  /** The fresh window that the strategy looked at; null when it looked at none. */
  freshSystem(): FreshSystem | null
}

export interface Sending {
  readonly windowId: string
  readonly ledger: UsageLedger
  readonly sent: SentInput
  readonly handling: WindowHandling
}

/** The moment before `sent` goes into the window `windowId`. */
export function sendMomentOf(turn: TurnContext, { windowId, ledger, sent, handling }: Sending): SendMoment {
  let fresh: FreshSystem | null = null
  const { settings } = turn
  return {
    freshSystem: () => fresh,
    moment: {
      windowId,
      windowRows: sent.before,
      input: sent.input,
      company: sent.company,
      model: turn.modelRef,
      limits: turn.info,
      points: turn.points,
      ledger,
      handling: handling === 'open' && turn.latch.stays(windowId, turn.modelRef) ? 'stays' : handling,
      pending: turn.latch.pendingIn(windowId),
      mayWriteNotes: turn.mayWriteNotes,
      nowMs: turn.clock.now(),
      newId: () => turn.newId(),
      prepare: (rows: readonly Row[]) => prepareRequest(rows, settings),
      async count({ prompt, tools }) {
        const count = await settings.countTokens(prompt, tools)
        return count.kind === 'counted' ? count.tokens : null
      },
      countRows: (rows) => countRows(rows, settings),
      async freshWindow() {
        fresh = await turn.freshSystem()
        const { text, notesCarried } = fresh
        return { notesCarried, prepare: (rows) => prepareRequest(rows, { ...settings, systemText: text }) }
      },
      recovery: () => turn.recovery()
    }
  }
}
