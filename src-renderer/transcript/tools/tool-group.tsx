// Owns consecutive tool calls as one list: a border around, hairlines between.
import { memo } from 'react'
import type { ToolPart } from '@common/rows/row-schema'
import type { LiveState } from '../live-state'
import { ToolCard } from './tool-card'
import type { ToolLive } from './tool-state'

export interface ToolGroupProps {
  readonly parts: readonly ToolPart[]
  /** Null when the row does not stream. */
  readonly live: LiveState | null
}

export const ToolGroup = memo(function ToolGroup({ parts, live }: ToolGroupProps) {
  return (
    <div className="divide-y divide-line overflow-hidden rounded-regular border border-line">
      {parts.map((part) => (
        <ToolCardAtWork key={part.toolCallId} part={part} live={live} />
      ))}
    </div>
  )
})

/** Gives a card its own part of the live state, so that another tool's output does not draw it again. */
function ToolCardAtWork({ part, live }: { readonly part: ToolPart; readonly live: LiveState | null }) {
  if (live === null || part.state !== 'input-available') return <ToolCard part={part} live={null} />
  const id = part.toolCallId
  return (
    <LiveToolCard
      part={part}
      approval={live.approvals.find((approval) => approval.toolCallId === id) ?? null}
      question={live.questions.find((question) => question.toolCallId === id) ?? null}
      output={live.toolOutputs[id] ?? ''}
    />
  )
}

const LiveToolCard = memo(function LiveToolCard({ part, ...live }: ToolLive & { readonly part: ToolPart }) {
  return <ToolCard part={part} live={live} />
})
