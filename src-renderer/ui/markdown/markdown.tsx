// Owns Markdown on screen: safe by construction (no HTML, no address but http, https and mailto), and cheap
// while it grows (see incremental-lexer).
import { memo, useState } from 'react'
import { cx } from '../cx'
import { createIncrementalLexer } from './incremental-lexer'
import { MarkdownBlock } from './markdown-block'

export interface MarkdownProps {
  readonly text: string
  /** The text still grows. */
  readonly streaming?: boolean
  /** Link definitions that stand in another piece of the same text. */
  readonly definitions?: string
  readonly className?: string
}

export const Markdown = memo(function Markdown({
  text,
  streaming = false,
  definitions = '',
  className
}: MarkdownProps) {
  const [lexer] = useState(createIncrementalLexer)
  const tokens = lexer.lex(text, streaming, definitions)
  return (
    <div className={cx('markdown', className)}>
      {tokens.map((token, index) => (
        <MarkdownBlock key={index} token={token} growing={streaming && index === tokens.length - 1} />
      ))}
    </div>
  )
})
