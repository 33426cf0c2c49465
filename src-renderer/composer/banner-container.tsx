// Owns the banner of a workspace wired to its ways out.
import { useMemo } from 'react'
import { openDialog } from '../store/actions/view-actions'
import { createWorkspace, relocateWorkspace } from '../store/actions/workspace-actions'
import { useApp, useAppState } from '../store/app-context'
import { isProviderReady, modelOf } from '../store/selectors'
import { IDLE_STATUS } from '../store/session-state'
import { bannerOf, type BannerAction } from './banner-of'
import { ComposerBanner } from './composer-banner'

export interface BannerContainerProps {
  readonly workspaceId: string
  readonly onChooseModel: () => void
}

export function BannerContainer({ workspaceId, onChooseModel }: BannerContainerProps) {
  const app = useApp()
  const status = useAppState((state) => state.sessions[workspaceId]?.status ?? IDLE_STATUS)
  const workspace = useAppState((state) => state.workspaces[workspaceId])
  const model = useAppState((state) =>
    state.models === null || workspace === undefined ? undefined : modelOf(state, workspace.model)
  )
  const providerReady = useAppState((state) => isProviderReady(state, workspace?.model ?? ''))
  const banner = useMemo(
    () => (workspace === undefined ? null : bannerOf({ status, workspace, model, providerReady })),
    [status, workspace, model, providerReady]
  )
  if (banner === null || workspace === undefined) return null
  const act: Record<BannerAction, () => void> = {
    settings: () => openDialog(app, { kind: 'settings', tab: 'providers' }),
    'choose-model': onChooseModel,
    'choose-folder': () => void relocateWorkspace(app, workspaceId),
    'new-workspace': () => void createWorkspace(app, workspace.projectId)
  }
  return <ComposerBanner banner={banner} onAction={(action) => act[action]()} />
}
