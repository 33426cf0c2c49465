// Owns a text in which what was searched for is marked: in weight and tint, so that colour is never alone.
import { useMemo } from 'react'
import { splitByMatch } from './split-by-match'

export interface MarkedTextProps {
  readonly text: string
  /** Taken literally; upper and lower case are the same. */
  readonly query: string
}

export function MarkedText({ text, query }: MarkedTextProps) {
  const pieces = useMemo(() => splitByMatch(text, query), [text, query])
  return pieces.map((piece, index) =>
    piece.match ? (
      <mark key={index} className="rounded-[2px] bg-accent-surface font-semibold text-text">
        {piece.text}
      </mark>
    ) : (
      <span key={index}>{piece.text}</span>
    )
  )
}
