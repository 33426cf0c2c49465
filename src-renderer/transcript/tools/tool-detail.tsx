// Owns which detail a tool card opens to. A result that does not read as its tool's is shown as JSON.
import { TOOL_CONTRACTS } from '@common/tools/tool-contracts'
import type { ToolName, ToolOutput } from '@common/tools/tool-contracts'
import type { ToolPart } from '@common/rows/row-schema'
import { readSkillPointers } from '@common/rows/skill-pointer'
import { ApprovalCard } from './approval-card'
import { BashDetail } from './bash-detail'
import { ChangeDetail } from './change-detail'
import { FileReadDetail } from './file-read-detail'
import { GenericDetail } from './generic-detail'
import { GlobDetail } from './glob-detail'
import { GrepDetail } from './grep-detail'
import { HistoryDetail } from './history-detail'
import { LiveOutput } from './live-output'
import { MemoryDetail } from './memory-detail'
import { QuestionCard } from './question-card'
import { QuestionDetail } from './question-detail'
import { SpilledText } from './spilled-text'
import { TodoDetail } from './todo-detail'
import { textField } from './tool-fields'
import { DetailBody, DetailNote } from './tool-parts'
import type { ToolCardState, ToolLive } from './tool-state'

export interface ToolDetailProps {
  readonly part: ToolPart
  readonly live: ToolLive | null
  readonly state: ToolCardState
}

export function ToolDetail({ part, live, state }: ToolDetailProps) {
  if (live?.approval) return <ApprovalCard key={live.approval.approvalId} approval={live.approval} />
  if (live?.question) return <QuestionCard key={live.question.questionId} question={live.question} />
  return (
    <>
      {state === 'running' && live !== null ? (
        <RunningDetail part={part} output={live.output} />
      ) : (
        <SettledDetail part={part} />
      )}
      {part.errorText !== undefined && part.errorText !== '' && (
        <DetailNote tone={state === 'error' ? 'danger' : 'quiet'}>{part.errorText}</DetailNote>
      )}
      {state === 'unfinished' && (
        <DetailNote tone="quiet">The app ended before this call did. Its result is not known.</DetailNote>
      )}
      {readSkillPointers(part.skillPointers).map(({ name, text }) => (
        <DetailNote key={name} tone="quiet">
          {text}
        </DetailNote>
      ))}
      {part.inputSpill !== undefined && <SpilledText label="Input" spill={part.inputSpill} />}
      {part.outputSpill !== undefined && <SpilledText label="Result" spill={part.outputSpill} />}
    </>
  )
}

function RunningDetail({ part, output }: { readonly part: ToolPart; readonly output: string }) {
  if (part.toolName === 'bash' || output !== '')
    return <LiveOutput command={textField(part.input, 'command')} output={output} />
  return <GenericDetail part={part} />
}

function SettledDetail({ part }: { readonly part: ToolPart }) {
  switch (part.toolName) {
    case 'bash':
      return <BashDetail command={textField(part.input, 'command') ?? ''} output={outputOf(part, 'bash')} />
    case 'file_read': {
      const output = outputOf(part, 'file_read')
      return output === null ? <GenericDetail part={part} /> : <FileReadDetail output={output} />
    }
    case 'file_write':
    case 'file_edit': {
      const output = outputOf(part, part.toolName)
      return output === null ? <GenericDetail part={part} /> : <ChangeDetail change={output} />
    }
    case 'glob': {
      const output = outputOf(part, 'glob')
      return output === null ? <GenericDetail part={part} /> : <GlobDetail output={output} />
    }
    case 'grep': {
      const output = outputOf(part, 'grep')
      return output === null ? <GenericDetail part={part} /> : <GrepDetail output={output} />
    }
    case 'todo': {
      const output = outputOf(part, 'todo')
      return output === null ? <GenericDetail part={part} /> : <TodoDetail items={output.items} />
    }
    case 'ask_user':
      return (
        <DetailBody>
          <QuestionDetail
            question={textField(part.input, 'question') ?? ''}
            answer={outputOf(part, 'ask_user')?.answer ?? null}
          />
        </DetailBody>
      )
    case 'memory': {
      const output = outputOf(part, 'memory')
      return output === null ? <GenericDetail part={part} /> : <MemoryDetail input={part.input} output={output} />
    }
    case 'session_history':
      return <HistoryDetail part={part} />
    default:
      return <GenericDetail part={part} />
  }
}

/** The typed output of a settled call, or null when it is not there or reads otherwise. */
function outputOf<Name extends ToolName>(part: ToolPart, name: Name): ToolOutput<Name> | null {
  if (part.state !== 'output-available') return null
  const parsed = TOOL_CONTRACTS[name].output.safeParse(part.output)
  return parsed.success ? (parsed.data as ToolOutput<Name>) : null
}
