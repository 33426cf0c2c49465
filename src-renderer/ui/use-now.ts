// Owns the one clock of the page that shows running time: it ticks once a second, and only while someone looks.
import { useSyncExternalStore } from 'react'

const TICK_MS = 1_000
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let nowMs = Date.now()

/** The time now, in milliseconds since the epoch; changes once a second while `active`. */
export function useNow(active: boolean): number {
  return useSyncExternalStore(active ? watch : watchNothing, () => nowMs)
}

function watch(onTick: () => void): () => void {
  watchers.add(onTick)
  if (timer === undefined) {
    nowMs = Date.now()
    timer = setInterval(tick, TICK_MS)
  }
  return () => {
    watchers.delete(onTick)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  nowMs = Date.now()
  for (const onTick of watchers) onTick()
}

function watchNothing(): () => void {
  return () => undefined
}
