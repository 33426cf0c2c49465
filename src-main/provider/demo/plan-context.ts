// Owns what every plan of the demo may look at besides the results of its own calls.
import type { Conversation } from './read-conversation'

export interface PlanContext {
  readonly conversation: Conversation
  /** Names of the tools offered in this request. */
  readonly offered: ReadonlySet<string>
  /** Read little: a new window was opened because the last one was full. */
  readonly light: boolean
}
