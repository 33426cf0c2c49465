// Owns the banner of a workspace wired to its ways out.
import { useMemo } from 'react'
import type { Row } from '@common/rows/row-schema'
import { rowKindOf } from '@common/rows/row-kinds'
import { editAgain } from '../frame/edit-again'
import { beginFreshWindow } from '../store/actions/context-actions'
import { sendInput } from '../store/actions/turn-actions'
import { openDialog } from '../store/actions/view-actions'
import { createWorkspace, relocateWorkspace } from '../store/actions/workspace-actions'
import { useApp, useAppState } from '../store/app-context'
import type { LoadedHistory } from '../store/loaded-history'
import { isProviderReady, modelOf } from '../store/selectors'
import { IDLE_STATUS } from '../store/session-state'
import { bannerOf, type BannerAction } from './banner-of'
import { ComposerBanner } from './composer-banner'

export interface BannerContainerProps {
  readonly workspaceId: string
  readonly onChooseModel: () => void
  readonly onChooseAgent: () => void
}

export function BannerContainer({ workspaceId, onChooseModel, onChooseAgent }: BannerContainerProps) {
  const app = useApp()
  const status = useAppState((state) => state.sessions[workspaceId]?.status ?? IDLE_STATUS)
  const workspace = useAppState((state) => state.workspaces[workspaceId])
  const model = useAppState((state) =>
    state.models === null || workspace === undefined ? undefined : modelOf(state, workspace.model)
  )
  const providerReady = useAppState((state) => isProviderReady(state, workspace?.model ?? ''))
  const rejected = useAppState((state) => rejectedRowOf(state.sessions[workspaceId]?.history))
  const hasRejected = rejected !== null
  const banner = useMemo(
    () => (workspace === undefined ? null : bannerOf({ status, workspace, model, providerReady, hasRejected })),
    [status, workspace, model, providerReady, hasRejected]
  )
  if (banner === null || workspace === undefined) return null
  const act: Record<BannerAction, () => void> = {
    settings: () => openDialog(app, { kind: 'settings', tab: 'providers' }),
    'choose-model': onChooseModel,
    'choose-agent': onChooseAgent,
    compact: () => void sendInput(app, workspaceId, { text: '/compact', attachments: [], mode: 'tool-end' }),
    'fresh-window': () => void beginFreshWindow(app, workspaceId),
    'edit-rejected': () => rejected !== null && editAgain(app, workspaceId, rejected),
    threshold: () => openDialog(app, { kind: 'settings', tab: 'context' }),
    'choose-folder': () => void relocateWorkspace(app, workspaceId),
    'new-workspace': () => void createWorkspace(app, workspace.projectId)
  }
  return <ComposerBanner banner={banner} onAction={(action) => act[action]()} />
}

/** The newest row where it is a message that was not sent. */
function rejectedRowOf(history: LoadedHistory | undefined): Row | null {
  const last = history?.rows.at(-1)
  return last !== undefined && history?.after === null && rowKindOf(last) === 'rejected-input' ? last : null
}
