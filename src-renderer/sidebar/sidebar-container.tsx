// Owns the sidebar wired to the state: what is listed, what is folded, which question is open.
import { useDeferredValue, useMemo, useState } from 'react'
import type { WorkspaceView } from '@common/contract/views'
import { runCommand } from '../frame/commands'
import { keysOf } from '../frame/shortcut-text'
import { useNowEvery } from '../frame/use-now-every'
import { removeProject } from '../store/actions/project-actions'
import { selectWorkspace } from '../store/actions/session-actions'
import {
  createWorkspace,
  deleteWorkspace,
  relocateWorkspace,
  showArchived,
  updateWorkspace
} from '../store/actions/workspace-actions'
import { useApp, useAppState } from '../store/app-context'
import { DeleteWorkspaceDialog } from './delete-workspace-dialog'
import { ProjectSection } from './project-section'
import { Sidebar } from './sidebar'
import { sidebarTree } from './sidebar-tree'
import { WorkspaceItem } from './workspace-item'

/** Ages are told in minutes. */
const AGE_RENEWAL_MS = 30_000
/** Fewer than this are seen at a glance. */
const FILTER_FROM = 6

export function SidebarContainer() {
  const app = useApp()
  const projects = useAppState((state) => state.projects)
  const workspaces = useAppState((state) => state.workspaces)
  const selectedId = useAppState((state) => state.selectedWorkspaceId)
  const archivedShown = useAppState((state) => state.archivedShown)
  const facts = useAppState((state) => (state.start.kind === 'ready' ? state.start.facts : null))
  const nowMs = useNowEvery(AGE_RENEWAL_MS)
  const [filter, setFilter] = useState('')
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [deleting, setDeleting] = useState<WorkspaceView | null>(null)
  const wanted = useDeferredValue(filter)
  const all = useMemo(() => Object.values(workspaces), [workspaces])
  const tree = useMemo(
    () => sidebarTree({ projects, workspaces: all, filter: wanted, archivedShown }),
    [projects, all, wanted, archivedShown]
  )
  const platform = facts?.platform ?? ''
  return (
    <>
      <Sidebar
        filter={filter}
        onFilter={setFilter}
        filterable={all.length >= FILTER_FROM || filter !== ''}
        archivedShown={archivedShown}
        onArchivedShown={(shown) => void showArchived(app, shown)}
        onSearch={() => runCommand(app, 'search-everywhere', null)}
        onNewWorkspace={() => runCommand(app, 'new-workspace', null)}
        onOpenFolder={() => runCommand(app, 'open-project', null)}
        onOpenSettings={() => runCommand(app, 'open-settings', null)}
        shortcuts={{
          search: keysOf('search-everywhere', platform),
          newWorkspace: keysOf('new-workspace', platform),
          settings: keysOf('open-settings', platform)
        }}
        empty={tree.length > 0 ? null : filter === '' ? 'No folder is open yet.' : `No title contains “${filter}”.`}
      >
        {tree.map(({ project, workspaces: listed }) => (
          <ProjectSection
            key={project.id}
            project={project}
            folded={folded.has(project.id) && wanted === ''}
            onFold={(fold) => setFolded(withMember(folded, project.id, fold))}
            onNewWorkspace={() => void createWorkspace(app, project.id)}
            onRemove={() => void removeProject(app, project.id)}
          >
            {listed.map((workspace) => (
              <WorkspaceItem
                key={workspace.workspaceId}
                workspace={workspace}
                selected={workspace.workspaceId === selectedId}
                nowMs={nowMs}
                onSelect={() => void selectWorkspace(app, workspace.workspaceId)}
                onRename={(title) => void updateWorkspace(app, workspace.workspaceId, { title })}
                onArchive={(archived) => void updateWorkspace(app, workspace.workspaceId, { archived })}
                onDelete={() => setDeleting(workspace)}
                onRelocate={() => void relocateWorkspace(app, workspace.workspaceId)}
              />
            ))}
          </ProjectSection>
        ))}
      </Sidebar>
      <DeleteWorkspaceDialog
        workspace={deleting}
        homePath={facts?.homePath ?? ''}
        onCancel={() => setDeleting(null)}
        onDelete={() => {
          if (deleting !== null) void deleteWorkspace(app, deleting.workspaceId)
          setDeleting(null)
        }}
      />
    </>
  )
}

function withMember(members: ReadonlySet<string>, id: string, included: boolean): ReadonlySet<string> {
  const next = new Set(members)
  if (included) next.add(id)
  else next.delete(id)
  return next
}
