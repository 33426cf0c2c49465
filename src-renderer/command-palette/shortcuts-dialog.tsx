// Owns the full list of shortcuts.
import { openDialog } from '../store/actions/view-actions'
import { SHORTCUTS, writtenKeys, type Shortcut } from '../frame/shortcut-text'
import { useApp, useAppState } from '../store/app-context'
import { Dialog } from '../ui/dialog'
import { Kbd } from '../ui/kbd'

const GROUPS: ReadonlyArray<Shortcut['group']> = ['App', 'Message', 'Conversation', 'Sidebar']

export function ShortcutsDialog() {
  const app = useApp()
  const open = useAppState((state) => state.dialog?.kind === 'shortcuts')
  const platform = useAppState((state) => (state.start.kind === 'ready' ? state.start.facts.platform : ''))
  return (
    <Dialog open={open} onOpenChange={(next) => !next && openDialog(app, null)} title="Shortcuts" wide>
      <div className="grid gap-x-8 gap-y-4 narrow:grid-cols-2">
        {GROUPS.map((group) => (
          <section key={group} aria-labelledby={`shortcuts-${group}`}>
            <h3 id={`shortcuts-${group}`} className="pb-1 text-small font-medium text-quiet">
              {group}
            </h3>
            <dl className="flex flex-col gap-1.5">
              {SHORTCUTS.filter((shortcut) => shortcut.group === group).map(({ keys, label }) => (
                <div key={`${keys} ${label}`} className="flex items-start justify-between gap-4 text-small">
                  <dt>{label}</dt>
                  <dd className="shrink-0">
                    <Kbd keys={writtenKeys(keys, platform)} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
