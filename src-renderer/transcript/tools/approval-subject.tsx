// Owns what an approval is about, in full: nothing of a command or a change is left out or shortened.
import type { ApprovalSubject } from '@common/tools/approval'
import { DiffView } from '../../ui/diff-view'
import { parseDiff } from '../../ui/parse-diff'
import { ScrollBox } from '../../ui/scroll-box'
import { ChangeCounts } from './change-detail'
import { PathText } from './glob-detail'
import { CommandText, MachineText } from './tool-parts'

const BOX = 'overflow-hidden rounded-regular border border-line bg-surface'

export function ApprovalSubjectView({ subject }: { readonly subject: ApprovalSubject }) {
  switch (subject.kind) {
    case 'command':
      return (
        <div className={BOX}>
          <ScrollBox label="Command" className="max-h-80 px-3 py-2">
            <CommandText command={subject.command} />
          </ScrollBox>
          <p className="border-t border-line px-3 py-1.5 font-mono text-micro text-quiet wrap-anywhere">
            in {subject.cwd}
          </p>
        </div>
      )
    case 'change': {
      const { added, removed } = parseDiff(subject.diff)
      return (
        <div className={BOX}>
          <p className="flex items-center gap-3 px-3 py-1.5 text-small">
            <span className="min-w-0 flex-1 font-mono wrap-anywhere">
              <PathText path={subject.path} />
            </span>
            {subject.created && <span className="text-micro text-quiet">new file</span>}
            <ChangeCounts added={added} removed={removed} />
          </p>
          <ScrollBox label={`Change of ${subject.path}`} className="max-h-105 border-t border-line bg-sunken py-1">
            <DiffView diff={subject.diff} />
          </ScrollBox>
        </div>
      )
    }
    case 'read':
      return (
        <p className={`${BOX} px-3 py-2 font-mono text-small wrap-anywhere`}>
          <PathText path={subject.path} />
        </p>
      )
    case 'other':
      return (
        <ScrollBox label="What is asked" className={`${BOX} max-h-80 overflow-auto px-3 py-2`}>
          <MachineText>{subject.text}</MachineText>
        </ScrollBox>
      )
  }
}
