// Owns what a session told the person: kept for later watchers, and told once where once is enough.
import type { Notice } from '@common/contract/views'

export interface NoticeSeams {
  newId(): string
  nowMs(): number
  publish(event: { type: 'notice'; notice: Notice }): void
}

export class SessionNotices {
  readonly #seams: NoticeSeams
  #all: readonly Notice[]

  constructor(opened: readonly Notice[], seams: NoticeSeams) {
    this.#all = opened
    this.#seams = seams
  }

  get all(): Notice[] {
    return [...this.#all]
  }

  tell(level: Notice['level'], message: string): void {
    const notice: Notice = { id: this.#seams.newId(), level, message, atMs: this.#seams.nowMs() }
    this.#all = [...this.#all, notice]
    this.#seams.publish({ type: 'notice', notice })
  }

  /** Passes over what was told in these words already, and null. */
  tellOnce(message: string | null): void {
    if (message !== null && !this.#all.some((notice) => notice.message === message)) this.tell('warning', message)
  }
}
