// Owns what short ids were found to name, so that the pages of an item need not look for it again. Only sequences: they
// are never given twice, so the answer holds as long as the epoch does. A saving, never a truth.
import type { ExactReference } from './item-id'

export interface ResolvedId {
  readonly reference: ExactReference
  readonly isOnly: boolean
}

const MAX_REMEMBERED = 200

export class ResolvedIds {
  readonly #known = new Map<string, ResolvedId>()

  /** What this id named in this epoch, for this viewer. */
  get(viewer: string, sequence: number, epoch: string): ResolvedId | null {
    const known = this.#known.get(`${viewer} ${sequence}`)
    return known?.reference.epoch === epoch ? known : null
  }

  set(viewer: string, sequence: number, resolved: ResolvedId): void {
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear()
    this.#known.set(`${viewer} ${sequence}`, resolved)
  }
}
