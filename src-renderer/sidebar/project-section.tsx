// Owns one project in the sidebar: its name folds its workspaces; its menu acts on the project.
import { ChevronRight, Ellipsis, FolderX, Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ProjectView } from '@common/contract/views'
import { cx } from '../ui/cx'
import { IconButton } from '../ui/icon-button'
import { REVEAL } from '../ui/reveal'
import { Menu, MenuItem } from '../ui/menu'

export interface ProjectSectionProps {
  readonly project: ProjectView
  readonly folded: boolean
  readonly onFold: (folded: boolean) => void
  readonly onNewWorkspace: () => void
  readonly onRemove: () => void
  readonly children: ReactNode
}

export function ProjectSection({ project, folded, onFold, onNewWorkspace, onRemove, children }: ProjectSectionProps) {
  return (
    <section className="pt-2" data-testid="sidebar-project">
      <div className="group flex items-center gap-1 rounded-regular hover:bg-hover">
        <button
          type="button"
          data-arrow
          aria-expanded={!folded}
          title={project.path}
          onClick={() => onFold(!folded)}
          className="flex h-7 min-w-0 flex-1 items-center gap-1 rounded-regular px-1 text-left text-small font-medium text-quiet focus-visible:-outline-offset-2 touch:h-11"
        >
          <ChevronRight size={14} aria-hidden className={cx('shrink-0 transition-transform', !folded && 'rotate-90')} />
          <span className="truncate">{project.name}</span>
          {!project.readable && (
            <span className="inline-flex items-center gap-1 text-micro text-warn">
              <FolderX size={12} aria-hidden /> missing
            </span>
          )}
        </button>
        <Menu
          label={`Actions for ${project.name}`}
          align="end"
          trigger={
            <IconButton small label={`Actions for ${project.name}`} icon={<Ellipsis size={14} />} className={REVEAL} />
          }
        >
          <MenuItem icon={<Plus size={14} />} onSelect={onNewWorkspace}>
            New workspace here
          </MenuItem>
          <MenuItem icon={<X size={14} />} onSelect={onRemove}>
            Remove from the list
          </MenuItem>
        </Menu>
      </div>
      {!folded && <ul className="flex flex-col gap-px">{children}</ul>}
    </section>
  )
}
