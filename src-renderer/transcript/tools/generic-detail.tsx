// Owns the detail of a call that no other detail fits: what went in and what came out, as JSON.
import { useMemo } from 'react'
import type { ToolPart } from '@common/rows/row-schema'
import { CodeText } from '../../ui/code-text'
import { CopyButton } from '../../ui/copy-button'
import { ScrollBox } from '../../ui/scroll-box'
import { MachineText } from './tool-parts'

export function GenericDetail({ part }: { readonly part: ToolPart }) {
  return (
    <>
      <Value label="Input" value={part.input} />
      {part.output !== undefined && <Value label="Result" value={part.output} />}
    </>
  )
}

function Value({ label, value }: { readonly label: string; readonly value: unknown }) {
  const text = useMemo(() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)), [value])
  if (text === undefined || text === '' || text === '{}') return null
  return (
    <section className="border-b border-line last:border-b-0">
      <header className="flex h-7 items-center justify-between pr-1 pl-3 text-micro text-quiet touch:h-11">
        {label}
        <CopyButton text={() => text} label={`Copy ${label.toLowerCase()}`} />
      </header>
      <ScrollBox label={label} className="max-h-80 px-3 pb-2">
        <MachineText>{typeof value === 'string' ? text : <CodeText code={text} language="json" settled />}</MachineText>
      </ScrollBox>
    </section>
  )
}
