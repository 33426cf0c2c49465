// Owns how a story shows the whole app: over a fake world, from its first request on.
import { useEffect, useState } from 'react'
import { AppRoot } from '../../src-renderer/app'
import { runCommand } from '../../src-renderer/frame/commands'
import { connectApp } from '../../src-renderer/store/actions/start-app'
import { AppProvider } from '../../src-renderer/store/app-context'
import type { Layout } from '../../src-renderer/store/app-state'
import { createApp } from '../../src-renderer/store/app-store'
import { createFakeBridge, type FakeBridge } from '../../src-renderer/testing/fake-bridge'
import type { FakeWorld } from '../../src-renderer/testing/fake-world'

export interface AppStoryProps {
  /** Made anew for each story, so that none sees another's changes. */
  readonly world: () => Partial<FakeWorld>
  readonly layout?: Partial<Layout>
  /** Hears of the bridge, for stories in which something changes behind the window. */
  readonly bridge?: (bridge: FakeBridge) => void
}

export function AppStory({ world, layout, bridge: onBridge }: AppStoryProps) {
  const [app] = useState(() => {
    const bridge = createFakeBridge(world())
    onBridge?.(bridge)
    return createApp(bridge, { sidebarShown: true, panelShown: true, sheet: null, ...layout })
  })
  useEffect(
    () =>
      connectApp(app, {
        onCommand: (command, argument) => runCommand(app, command, argument),
        reloadedWorkspaceId: null
      }),
    [app]
  )
  return (
    <AppProvider app={app}>
      <AppRoot />
    </AppProvider>
  )
}
