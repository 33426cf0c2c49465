// Owns the detail of a command that ended: the command, what it printed, how it ended.
import { useMemo } from 'react'
import type { ToolOutput } from '@common/tools/tool-contracts'
import { CopyButton } from '../../ui/copy-button'
import { ScrollBox } from '../../ui/scroll-box'
import { terminalText } from '../../ui/terminal-text'
import { CommandText, DetailNote, MachineText } from './tool-parts'

export interface BashDetailProps {
  readonly command: string
  /** Null when it ended without a result. */
  readonly output: ToolOutput<'bash'> | null
}

export function BashDetail({ command, output }: BashDetailProps) {
  const text = useMemo(() => trimLines(terminalText(output?.output ?? '')), [output])
  return (
    <>
      <div className="flex items-start gap-2 py-1 pr-1 pl-3">
        <div className="min-w-0 flex-1 py-0.75">
          <CommandText command={command} />
        </div>
        <CopyButton text={() => command} label="Copy command" />
      </div>
      {text !== '' && (
        <ScrollBox label="Output" className="max-h-80 border-t border-line bg-sunken px-3 py-2">
          <MachineText>{text}</MachineText>
        </ScrollBox>
      )}
      {output !== null && <BashEnd output={output} silent={text === ''} />}
    </>
  )
}

function BashEnd({ output, silent }: { readonly output: ToolOutput<'bash'>; readonly silent: boolean }) {
  if (output.background !== undefined)
    return (
      <DetailNote tone="quiet">
        Runs in the background as process {output.background.pid}. Its output goes to {output.background.log}.
      </DetailNote>
    )
  if (output.timed_out === true)
    return <DetailNote tone="danger">Stopped after its time limit, with everything that it had started.</DetailNote>
  if (output.exit_code !== null && output.exit_code !== 0)
    return <DetailNote tone="danger">Ended with exit code {output.exit_code}.</DetailNote>
  return silent ? <DetailNote tone="quiet">No output.</DetailNote> : null
}

/** Without the empty lines around it; what leads the first line stays. */
function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}
