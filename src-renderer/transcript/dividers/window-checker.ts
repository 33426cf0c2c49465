// Owns asking whether sealed windows are as they were written (H-6), for the dividers in view: one question at a
// time, none for a divider that has left the view, and the last answer at hand when it comes back.
import type { WindowCheck } from './window-check-texts'

export interface WindowChecker {
  /** What was found last; null before the first answer. */
  known(windowId: string): WindowCheck | null
  /** Asks in its turn; cheap for a window whose file is untouched. Returns what takes the question back. */
  look(windowId: string, onFound: (check: WindowCheck) => void): () => void
  /** Has the window read again, now. */
  verify(windowId: string): Promise<WindowCheck>
}

/** `ask` reads the window's file where `again` is set, else only where it was touched since it was read last. */
export function windowChecker(ask: (windowId: string, again: boolean) => Promise<WindowCheck>): WindowChecker {
  const found = new Map<string, WindowCheck>()
  const waiting = new Set<{ readonly windowId: string; readonly onFound: (check: WindowCheck) => void }>()
  let asking = false

  async function answer(windowId: string, again: boolean): Promise<WindowCheck> {
    const check = await ask(windowId, again)
    found.set(windowId, check)
    return check
  }
  async function askAll(): Promise<void> {
    if (asking) return
    asking = true
    try {
      for (const question of waiting) {
        const check = await answer(question.windowId, false)
        if (waiting.delete(question)) question.onFound(check)
      }
    } finally {
      asking = false
    }
  }
  return {
    known: (windowId) => found.get(windowId) ?? null,
    look(windowId, onFound) {
      const question = { windowId, onFound }
      waiting.add(question)
      void askAll()
      return () => void waiting.delete(question)
    },
    verify: (windowId) => answer(windowId, true)
  }
}
