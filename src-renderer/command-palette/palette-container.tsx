// Owns the palette: workspaces, actions, models and settings in one list with a filter.
import { Dialog as Radix } from 'radix-ui'
import { runCommand } from '../frame/commands'
import { SHORTCUTS, writtenKeys } from '../frame/shortcut-text'
import { inspectWindow } from '../store/actions/inspector-actions'
import { selectWorkspace } from '../store/actions/session-actions'
import { openDialog } from '../store/actions/view-actions'
import { updateWorkspace } from '../store/actions/workspace-actions'
import { useApp, useAppState } from '../store/app-context'
import { SETTINGS_TABS } from '../settings/settings-tabs'
import { Command, CommandGroup, CommandItem } from '../ui/command'
import { Kbd } from '../ui/kbd'
import { OVERLAY } from '../ui/surfaces'

export function PaletteContainer() {
  const app = useApp()
  const open = useAppState((state) => state.dialog?.kind === 'palette')
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && openDialog(app, null)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-shade" />
        <Radix.Content
          aria-describedby={undefined}
          className={`${OVERLAY} fixed top-[12vh] left-1/2 w-[calc(100vw-24px)] max-w-140 -translate-x-1/2 overflow-hidden outline-none`}
        >
          <Radix.Title className="sr-only">Command palette</Radix.Title>
          <Command label="Commands" placeholder="Go to a workspace, run a command" empty="Nothing matches">
            <PaletteItems onDone={() => openDialog(app, null)} />
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function PaletteItems({ onDone }: { readonly onDone: () => void }) {
  const app = useApp()
  const workspaces = useAppState((state) => state.workspaces)
  const projects = useAppState((state) => state.projects)
  const models = useAppState((state) => state.models)
  const selectedId = useAppState((state) => state.selectedWorkspaceId)
  const platform = useAppState((state) => (state.start.kind === 'ready' ? state.start.facts.platform : ''))
  const done = (act: () => void) => () => {
    onDone()
    act()
  }
  const listed = Object.values(workspaces).filter((workspace) => !workspace.archived)
  return (
    <>
      <CommandGroup heading="Workspaces">
        {listed
          .toSorted((a, b) => b.updatedAtMs - a.updatedAtMs)
          .map(({ workspaceId, title, projectId }) => (
            <CommandItem
              key={workspaceId}
              value={`workspace ${workspaceId}`}
              keywords={[title]}
              onSelect={done(() => void selectWorkspace(app, workspaceId))}
            >
              <span className="min-w-0 flex-1 truncate">{title || 'New workspace'}</span>
              <span className="text-micro text-quiet">{projects.find((each) => each.id === projectId)?.name}</span>
            </CommandItem>
          ))}
      </CommandGroup>
      <CommandGroup heading="Commands">
        {SHORTCUTS.flatMap(({ command, label, keys }) =>
          command === undefined || command === 'open-palette' || command === 'next-region' ? (
            []
          ) : (
            <CommandItem key={command} value={`command ${label}`} onSelect={done(() => runCommand(app, command, null))}>
              <span className="flex-1">{label}</span>
              <Kbd keys={writtenKeys(keys, platform)} />
            </CommandItem>
          )
        )}
        {selectedId !== null && (
          <CommandItem
            value="command What was sent, window inspector"
            onSelect={done(() => inspectWindow(app, selectedId, null))}
          >
            Show what was sent
          </CommandItem>
        )}
      </CommandGroup>
      {selectedId !== null && (
        <CommandGroup heading="Model of this workspace">
          {models
            ?.filter((model) => model.available)
            .map((model) => (
              <CommandItem
                key={model.ref}
                value={`model ${model.ref}`}
                keywords={[model.name]}
                onSelect={done(() => void updateWorkspace(app, selectedId, { model: model.ref }))}
              >
                <span className="flex-1">{model.name}</span>
                <span className="text-micro text-quiet">{model.providerId}</span>
              </CommandItem>
            ))}
        </CommandGroup>
      )}
      <CommandGroup heading="Settings">
        {SETTINGS_TABS.map(({ value, label }) => (
          <CommandItem
            key={value}
            value={`settings ${label}`}
            onSelect={done(() => openDialog(app, { kind: 'settings', tab: value }))}
          >
            {label}
          </CommandItem>
        ))}
      </CommandGroup>
    </>
  )
}
