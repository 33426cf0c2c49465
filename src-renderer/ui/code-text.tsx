// Owns code as text with colours once they are known. Plain text until then.
import { memo } from 'react'
import { useHighlight } from './highlight/use-highlight'

export interface CodeTextProps {
  readonly code: string
  readonly language: string
  readonly settled: boolean
}

export const CodeText = memo(function CodeText({ code, language, settled }: CodeTextProps) {
  const spans = useHighlight(code, language, settled)
  if (spans === null) return <code>{code}</code>
  return (
    <code>
      {spans.map((span, index) =>
        span.color === null ? (
          span.text
        ) : (
          <span key={index} style={{ color: span.color }}>
            {span.text}
          </span>
        )
      )}
    </code>
  )
})
