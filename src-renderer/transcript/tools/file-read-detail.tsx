// Owns the detail of a file that was read: numbered lines as the agent got them.
import { useMemo } from 'react'
import type { ToolOutput } from '@common/tools/tool-contracts'
import { CodeText } from '../../ui/code-text'
import { languageOfPath } from '../../ui/highlight/languages'
import { ScrollBox } from '../../ui/scroll-box'
import { DetailNote } from './tool-parts'

export function FileReadDetail({ output }: { readonly output: ToolOutput<'file_read'> }) {
  const { numbers, code } = useMemo(() => splitNumbers(output.content), [output.content])
  const whole = output.total_lines !== null && output.first_line === 1 && output.last_line >= output.total_lines
  return (
    <>
      <ScrollBox label={`Content of ${output.path}`} className="max-h-80 bg-sunken py-2">
        <div className="flex w-max min-w-full font-mono text-small">
          <pre aria-hidden className="sticky left-0 bg-sunken pr-3 pl-3 text-right text-quiet tabular-nums select-none">
            {numbers}
          </pre>
          <pre dir="ltr" className="pr-3">
            <CodeText code={code} language={languageOfPath(output.path) ?? ''} settled />
          </pre>
        </div>
      </ScrollBox>
      {!whole && (
        <DetailNote tone="quiet">
          Lines {output.first_line} to {output.last_line}
          {output.total_lines === null ? '' : ` of ${output.total_lines.toLocaleString('en')}`}.
        </DetailNote>
      )}
      {output.note !== undefined && <DetailNote tone="quiet">{output.note}</DetailNote>}
    </>
  )
}

/** Lines come as `number<TAB>text`; a line without a number (a cut marker) keeps its text. */
function splitNumbers(content: string): { numbers: string; code: string } {
  const numbers: string[] = []
  const code: string[] = []
  for (const line of content.replace(/\n$/, '').split('\n')) {
    const match = /^\s*(\d+)\t/.exec(line)
    numbers.push(match?.[1] ?? '')
    code.push(match === null ? line : line.slice(match[0].length))
  }
  return { numbers: numbers.join('\n'), code: code.join('\n') }
}
