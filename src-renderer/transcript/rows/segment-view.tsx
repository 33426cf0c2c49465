// Owns how one segment of an answer is drawn. A segment is drawn again only when it is another object.
import { memo } from 'react'
import type { Segment } from '@common/rows/display-items'
import { Markdown } from '../../ui/markdown/markdown'
import type { LiveState } from '../live-state'
import { ToolGroup } from '../tools/tool-group'
import { AttachmentView } from './attachment-view'
import { Reasoning } from './reasoning'

export interface SegmentViewProps {
  readonly rowId: string
  readonly segment: Segment
  readonly live: LiveState | null
}

export const SegmentView = memo(function SegmentView({ rowId, segment, live }: SegmentViewProps) {
  switch (segment.kind) {
    case 'text':
      return (
        <Markdown
          text={segment.text}
          streaming={segment.streaming}
          definitions={segment.definitions}
          className="max-w-text"
        />
      )
    case 'reasoning':
      return <Reasoning id={`${rowId}:${segment.key}`} text={segment.text} streaming={segment.streaming} />
    case 'tools':
      return <ToolGroup parts={segment.parts} live={live} />
    case 'file':
      return <AttachmentView part={segment.part} />
    case 'unknown':
      return <p className="text-small text-quiet">A part of type {segment.partType}, which this version cannot show.</p>
  }
})
