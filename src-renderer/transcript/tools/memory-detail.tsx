// Owns the detail of the memory tool: a folder's memories, a memory's lines, or what was changed.
import { useMemo } from 'react'
import type { ToolOutput } from '@common/tools/tool-contracts'
import { DiffView } from '../../ui/diff-view'
import { bytesText, countText } from '../../ui/format'
import { ScrollBox } from '../../ui/scroll-box'
import { FileReadDetail } from './file-read-detail'
import { PathText } from './glob-detail'
import { memoryDiff } from './memory-diff'
import { DetailNote } from './tool-parts'

type Output = ToolOutput<'memory'>

export function MemoryDetail({ input, output }: { readonly input: unknown; readonly output: Output }) {
  switch (output.kind) {
    case 'folder':
      return <Folder output={output} />
    case 'file':
      return <FileReadDetail output={output} />
    case 'written':
      return <Written input={input} output={output} />
    case 'deleted':
      return <DetailNote tone="quiet">Deleted. A copy is kept in the trash of its scope.</DetailNote>
    case 'renamed':
      return (
        <DetailNote tone="quiet">
          {output.path} is {output.new_path} now.
        </DetailNote>
      )
  }
}

function Folder({ output }: { readonly output: Extract<Output, { kind: 'folder' }> }) {
  if (output.entries.length === 0) return <DetailNote tone="quiet">Nothing is remembered here.</DetailNote>
  return (
    <>
      <ScrollBox label="Memories" className="max-h-80 px-3 py-2">
        <ul className="text-small">
          {output.entries.map((entry) => (
            <li key={entry.path} className="flex gap-3">
              <span className="min-w-0 flex-1 font-mono wrap-anywhere">
                <PathText path={entry.path} />
              </span>
              <span className="shrink-0 text-quiet tabular-nums">{bytesText(entry.bytes)}</span>
            </li>
          ))}
        </ul>
      </ScrollBox>
      {output.total > output.entries.length && (
        <DetailNote tone="quiet">
          The first {output.entries.length.toLocaleString('en')} of {countText(output.total, 'memory', 'memories')}.
        </DetailNote>
      )}
    </>
  )
}

function Written({
  input,
  output
}: {
  readonly input: unknown
  readonly output: Extract<Output, { kind: 'written' }>
}) {
  const diff = useMemo(() => memoryDiff(input, output.line ?? 1), [input, output.line])
  return (
    <>
      {diff !== null && (
        <ScrollBox label={`Change of ${output.path}`} className="max-h-80 bg-sunken py-1">
          <DiffView diff={diff} />
        </ScrollBox>
      )}
      {output.note !== undefined && <DetailNote tone="quiet">{output.note}</DetailNote>}
    </>
  )
}
