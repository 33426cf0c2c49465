// Owns the picture of what streams now, built from the events themselves, for watchers that come late (T-3).
import { MAX_LIVE_OUTPUT_CHARS } from '@common/constants'
import type { SessionEvent } from '@common/contract/events'
import { isKnownPart } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'

export class LiveView {
  #row: Row | null = null
  #toolOutputs = new Map<string, string>()

  /** Copies, safe to hand out while the row goes on. */
  snapshot(): { live: Row | null; toolOutputs: Record<string, string> } {
    return { live: structuredClone(this.#row), toolOutputs: Object.fromEntries(this.#toolOutputs) }
  }

  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'live-started':
        this.#row = structuredClone(event.row)
        return
      case 'live-dropped':
        this.#end(event.rowId)
        return
      case 'row-appended':
        this.#end(event.row.id)
        return
      case 'part-set':
        if (this.#row !== null) this.#row.parts[event.partIndex] = { ...event.part }
        return
      case 'text-delta':
      case 'reasoning-delta':
        this.#grow(event.partIndex, event.text)
        return
      case 'tool-output': {
        const whole = (this.#toolOutputs.get(event.toolCallId) ?? '') + event.text
        this.#toolOutputs.set(event.toolCallId, whole.slice(-MAX_LIVE_OUTPUT_CHARS))
        return
      }
      case 'tool-settled':
        this.#toolOutputs.delete(event.toolCallId)
        return
      default:
    }
  }

  /** The row is over, and with it what its tools print. */
  #end(rowId: string): void {
    if (this.#row?.id !== rowId) return
    this.#row = null
    this.#toolOutputs.clear()
  }

  #grow(partIndex: number, text: string): void {
    const part = this.#row?.parts[partIndex]
    if (part !== undefined && isKnownPart(part) && (part.type === 'text' || part.type === 'reasoning'))
      part.text += text
  }
}
