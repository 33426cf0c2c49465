// Owns one question to main and its answer on screen: asked again when its key or version changes; a late answer is
// dropped. While a newer version is asked for, the answer before it stays.
import { useEffect, useEffectEvent, useState } from 'react'
import type { Answer } from '@common/contract/bridge'

export type Asked<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ready'; readonly value: Value }

interface Held<Value> {
  readonly key: string
  readonly asked: Asked<Value>
}

/** `key` names the question; null asks nothing. `again` asks it once more, from nothing. */
export function useAnswer<Value>(
  key: string | null,
  question: () => Promise<Answer<Value>>,
  version: unknown = null
): { readonly asked: Asked<Value>; readonly again: () => void } {
  const [held, setHeld] = useState<Held<Value> | null>(null)
  const [times, setTimes] = useState(0)
  const ask = useEffectEvent(question)
  useEffect(() => {
    if (key === null) return
    let isCurrent = true
    void ask().then((answer) => {
      if (!isCurrent) return
      const asked: Asked<Value> = answer.ok
        ? { kind: 'ready', value: answer.value }
        : { kind: 'failed', message: answer.error.message }
      setHeld({ key, asked })
    })
    return () => {
      isCurrent = false
    }
  }, [key, times, version])
  const again = (): void => {
    setHeld(null)
    setTimes((count) => count + 1)
  }
  return { asked: held !== null && held.key === key ? held.asked : LOADING, again }
}

const LOADING = { kind: 'loading' } as const
