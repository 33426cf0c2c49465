// Owns the settings dialog wired to the state.
import { changeSetting } from '../store/actions/provider-actions'
import { report, ask } from '../store/actions/report'
import { openDialog } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import type { SettingsTab } from '../store/app-state'
import { selectedWorkspace } from '../store/selectors'
import { Dialog } from '../ui/dialog'
import { Tabs } from '../ui/tabs'
import { ContextContainer } from './context-container'
import { ExperimentsContainer } from './experiments-container'
import { AppearanceTab, DataTab, PermissionsTab } from './general-tabs'
import { MemoryTab } from './memory-tab'
import { ModelsTab } from './models-tab'
import { ProvidersTab } from './providers-tab'
import { SETTINGS_TABS } from './settings-tabs'

export function SettingsContainer() {
  const app = useApp()
  const dialog = useAppState((state) => state.dialog)
  const open = dialog?.kind === 'settings'
  return (
    <Dialog wide open={open} onOpenChange={(next) => !next && openDialog(app, null)} title="Settings">
      {open && (
        <div className="-mx-4 flex min-h-90 flex-col">
          <Tabs
            label="Settings"
            value={dialog.tab}
            onChange={(tab) => openDialog(app, { kind: 'settings', tab })}
            tabs={SETTINGS_TABS.map(({ value, label }) => ({
              value,
              label,
              content: (
                <div className="p-4">
                  <TabContent tab={value} />
                </div>
              )
            }))}
          />
        </div>
      )}
    </Dialog>
  )
}

function TabContent({ tab }: { readonly tab: SettingsTab }) {
  const app = useApp()
  const settings = useAppState((state) => state.settings)
  const facts = useAppState((state) => (state.start.kind === 'ready' ? state.start.facts : null))
  const workspace = useAppState(selectedWorkspace)
  const set = (path: string) => (value: unknown) => void changeSetting(app, path, value)
  switch (tab) {
    case 'providers':
      return <ProvidersTab />
    case 'models':
      return <ModelsTab />
    case 'context':
      return <ContextContainer />
    case 'permissions':
      return <PermissionsTab mode={settings.approvalMode} onMode={set('approvalMode')} />
    case 'memory':
      return (
        <MemoryTab
          memory={settings.memory}
          onMemory={set('memory')}
          hotMemories={settings.hotMemories}
          onHotMemories={set('hotMemories')}
        />
      )
    case 'experiments':
      return <ExperimentsContainer />
    case 'appearance':
      return (
        <AppearanceTab
          theme={settings.theme}
          onTheme={set('theme')}
          machineRows={settings.machineRows}
          onMachineRows={set('machineRows')}
        />
      )
    case 'data':
      return (
        <DataTab
          homePath={facts?.homePath ?? ''}
          version={facts?.version ?? ''}
          syncs={settings.durability === 'sync'}
          onSyncs={(syncs) => set('durability')(syncs ? 'sync' : 'relaxed')}
          workspaceTitle={workspace?.title ?? null}
          onExport={(format) => {
            if (workspace !== null) void exportWorkspace(workspace.workspaceId, format)
          }}
        />
      )
  }

  async function exportWorkspace(workspaceId: string, format: 'markdown' | 'jsonl'): Promise<void> {
    const exported = await ask(app, 'workspace.export', { workspaceId, format })
    if (exported?.file) report(app, 'info', `The conversation is in ${exported.file}.`, workspaceId)
  }
}
