// Owns when a code is coloured: once it is settled and the page is idle; at once when it was before.
import { useEffect, useState } from 'react'
import type { CodeSpan } from './highlighter'
import { languageOf } from './languages'

/** Larger than any block worth colouring: it would cost seconds. */
const MAX_CODE_CHARS = 100_000
/** Characters of coloured code that are kept. */
const MAX_KEPT_CHARS = 2_000_000
const IDLE_TIMEOUT_MS = 500

const kept = new Map<string, readonly CodeSpan[]>()
let keptChars = 0

/** The spans of a code, or null while they are not known or when the language has no colours. */
export function useHighlight(code: string, languageName: string, settled: boolean): readonly CodeSpan[] | null {
  const language = languageOf(languageName)
  const key = language === null || !settled || code.length > MAX_CODE_CHARS ? null : `${language}\n${code}`
  const [done, setDone] = useState<{ readonly key: string; readonly spans: readonly CodeSpan[] } | null>(null)
  const known = key === null ? null : (kept.get(key) ?? (done?.key === key ? done.spans : null))
  useEffect(() => {
    if (key === null || language === null || kept.has(key)) return
    let wanted = true
    const colour = async () => {
      const { colourCode } = await import('./highlighter')
      if (!wanted) return
      const spans = await colourCode(code, language)
      keep(key, spans)
      if (wanted) setDone({ key, spans })
    }
    const handle = requestIdleCallback(
      // Without colours a code is still readable: the reason goes to the console, the text stays.
      () => void colour().catch((error: unknown) => console.error(`Code was not coloured as ${language}:`, error)),
      { timeout: IDLE_TIMEOUT_MS }
    )
    return () => {
      wanted = false
      cancelIdleCallback(handle)
    }
  }, [code, key, language])
  return known
}

function keep(key: string, spans: readonly CodeSpan[]): void {
  kept.set(key, spans)
  keptChars += key.length
  for (const oldest of kept.keys()) {
    if (keptChars <= MAX_KEPT_CHARS) return
    kept.delete(oldest)
    keptChars -= oldest.length
  }
}
