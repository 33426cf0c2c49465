// Owns a block of code: language, copy, lines that scroll in their own box. Colours come later than the
// text and change nothing but colour, so nothing moves.
import { memo, useState } from 'react'
import { Button } from './button'
import { CopyButton } from './copy-button'
import { CodeText } from './code-text'
import { languageLabel } from './highlight/languages'
import { ScrollBox } from './scroll-box'

export interface CodeBlockProps {
  readonly code: string
  /** The info string of the fence: its first word names the language. */
  readonly language: string
  /** False while the block may still grow: no highlighting yet. */
  readonly settled: boolean
}

/** Lines shown at first: three screens. A longer block says how long it is and opens on demand. */
const LINES_SHOWN = 200
/** Slack: a block just over the limit is shown whole instead of hiding a few lines. */
const LINES_SLACK = 40

export const CodeBlock = memo(function CodeBlock({ code, language, settled }: CodeBlockProps) {
  const [whole, setWhole] = useState(false)
  const name = language.trim().split(/\s+/, 1)[0] ?? ''
  const cut = whole ? null : cutLines(code)
  return (
    <figure className="code-block group/code overflow-hidden rounded-regular bg-sunken">
      <figcaption className="flex h-7 items-center justify-between pr-1 pl-3 text-micro text-quiet touch:h-11">
        <span className="truncate">{languageLabel(name)}</span>
        <CopyButton text={() => code} label="Copy code" />
      </figcaption>
      <ScrollBox label={`Code, ${languageLabel(name)}`}>
        <pre dir="ltr" className="w-max min-w-full px-3 pb-3 leading-[18px]">
          <CodeText code={cut?.text ?? code} language={name} settled={settled} />
        </pre>
      </ScrollBox>
      {cut !== null && (
        <div className="border-t border-line px-2 py-1">
          <Button kind="quiet" small onClick={() => setWhole(true)}>
            Show all {cut.lines.toLocaleString('en')} lines
          </Button>
        </div>
      )}
    </figure>
  )
})

/** The first lines of a code that is much longer, and how many it has; null when it is shown whole. */
function cutLines(code: string): { text: string; lines: number } | null {
  let at = -1
  for (let line = 0; line < LINES_SHOWN; line += 1) {
    at = code.indexOf('\n', at + 1)
    if (at === -1) return null
  }
  const lines = LINES_SHOWN + code.slice(at + 1).split('\n').length
  return lines <= LINES_SHOWN + LINES_SLACK ? null : { text: code.slice(0, at), lines }
}
