// Owns the passing of time on screen: the current time, renewed at a pace while someone looks at it.
import { useEffect, useState } from 'react'

/** Milliseconds since the epoch, renewed every `everyMs`. */
export function useNowEvery(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
