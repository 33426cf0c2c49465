// Who draws when: a keystroke draws the composer alone, a token draws the transcript alone.
import type { Meta, StoryObj } from '@storybook/react-vite'
import { Profiler, useEffect, useState } from 'react'
import { expect, userEvent, waitFor } from 'storybook/test'
import { ComposerContainer } from '../../src-renderer/composer/composer-container'
import { TranscriptContainer } from '../../src-renderer/frame/transcript-container'
import { SidebarContainer } from '../../src-renderer/sidebar/sidebar-container'
import { connectApp } from '../../src-renderer/store/actions/start-app'
import { AppProvider } from '../../src-renderer/store/app-context'
import { createApp } from '../../src-renderer/store/app-store'
import { createFakeBridge } from '../../src-renderer/testing/fake-bridge'
import { textRow } from '../../src-renderer/testing/session-builders'
import { openWorld } from './worlds'

const bridge = createFakeBridge(openWorld({}, { stepDelayMs: 5 }))
const renders = { transcript: 0, composer: 0, sidebar: 0 }

function Counted() {
  const [app] = useState(() => createApp(bridge, { sidebarShown: true, panelShown: true, sheet: null }))
  useEffect(() => connectApp(app, { onCommand: () => undefined, reloadedWorkspaceId: null }), [app])
  const count = (id: string) => {
    if (id in renders) renders[id as keyof typeof renders] += 1
  }
  return (
    <AppProvider app={app}>
      <div className="flex h-150 w-200 flex-col">
        <Profiler id="sidebar" onRender={count}>
          <div className="h-40 overflow-auto">
            <SidebarContainer />
          </div>
        </Profiler>
        <Profiler id="transcript" onRender={count}>
          <TranscriptContainer workspaceId="ws-1" />
        </Profiler>
        <Profiler id="composer" onRender={count}>
          <ComposerContainer workspaceId="ws-1" commands={[]} />
        </Profiler>
      </div>
    </AppProvider>
  )
}

const meta = { component: Counted } satisfies Meta<typeof Counted>
export default meta

export const OnlyWhatChanged: StoryObj<typeof meta> = {
  play: async ({ canvas, step }) => {
    await waitFor(() => expect(canvas.getByText(/The order above is safe/)).toBeVisible())
    await waitFor(() => expect(canvas.getByTestId('model-picker')).toHaveTextContent('Claude Sonnet 4.5'))
    // Highlighting comes a moment after the text.
    await waitFor(() => expect(canvas.getByText('appendLines')).toBeVisible())
    await new Promise((resolve) => setTimeout(resolve, 500))
    await step('a keystroke draws the composer alone', async () => {
      Object.assign(renders, { transcript: 0, composer: 0, sidebar: 0 })
      await userEvent.type(canvas.getByTestId('composer'), 'twenty characters...')
      await expect(renders.composer).toBeGreaterThanOrEqual(20)
      await expect(renders).toMatchObject({ transcript: 0, sidebar: 0 })
    })
    await step('a token draws the transcript alone', async () => {
      const session = bridge.sessionOf('ws-1')
      session.emit({ type: 'live-started', row: textRow('live', 'assistant', 'begins') })
      await waitFor(() => expect(canvas.getByText('begins')).toBeVisible())
      Object.assign(renders, { transcript: 0, composer: 0, sidebar: 0 })
      for (const word of ['one ', 'two ', 'three ']) {
        session.emit({ type: 'text-delta', rowId: 'live', partIndex: 0, text: word })
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
      await waitFor(() => expect(canvas.getByText(/one two three/)).toBeVisible())
      await expect(renders.transcript).toBeGreaterThanOrEqual(3)
      await expect(renders).toMatchObject({ composer: 0, sidebar: 0 })
    })
  }
}
