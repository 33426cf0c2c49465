// Owns the context tab wired to the state: what is moved shows at once, main stores where it was left.
import { useState } from 'react'
import type { Settings } from '@common/settings/settings-schema'
import { setModelThreshold } from '../store/actions/context-actions'
import { changeSetting } from '../store/actions/provider-actions'
import { openDialog } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { ContextTab } from './context-tab'

type Moved = Partial<Pick<Settings, 'autoThreshold' | 'idleCompactionHours'>>

export function ContextContainer() {
  const app = useApp()
  const settings = useAppState((state) => state.settings)
  const [moved, setMoved] = useState<Moved>({})
  const store = async (left: Moved) => {
    setMoved(left)
    for (const [path, value] of Object.entries(left)) await changeSetting(app, path, value)
    // Unless it was moved again meanwhile.
    setMoved((now) => (now === left ? {} : now))
  }
  return (
    <ContextTab
      settings={{ ...settings, ...moved }}
      onPreview={setMoved}
      onThreshold={(autoThreshold) => void store({ autoThreshold })}
      onDefaultThreshold={(modelRef) => void setModelThreshold(app, modelRef, null)}
      onIdleHours={(idleCompactionHours) => void store({ idleCompactionHours })}
      onExperiments={() => openDialog(app, { kind: 'settings', tab: 'experiments' })}
    />
  )
}
