// Owns what stands in the middle: the conversation of the workspace on screen, or what there is instead.
import { ComposerContainer } from '../composer/composer-container'
import { useFileDrop } from '../composer/use-incoming-files'
import { TrustContainer } from '../first-run/trust-container'
import { WelcomeContainer } from '../first-run/welcome-container'
import { HeaderContainer } from '../header/header-container'
import { reopenSession } from '../store/actions/session-actions'
import { useApp, useAppState } from '../store/app-context'
import { Button } from '../ui/button'
import { cx } from '../ui/cx'
import { ErrorState, Skeleton } from '../ui/view-states'
import { RuntimeStrip } from './runtime-strip'
import { TranscriptContainer } from './transcript-container'

/** No command exists yet, so `/` is ordinary text. */
const COMMANDS = [] as const

export function Conversation() {
  const workspaceId = useAppState((state) => state.selectedWorkspaceId)
  const { over, handlers } = useFileDrop(workspaceId)
  return (
    <div
      {...handlers}
      className={cx('flex min-h-0 flex-1 flex-col', over && 'outline-2 -outline-offset-4 outline-accent')}
    >
      <RuntimeStrip />
      <HeaderContainer />
      <Middle workspaceId={workspaceId} />
      <TrustContainer />
      {workspaceId !== null && (
        <section aria-label="Message" data-region>
          <ComposerContainer key={workspaceId} workspaceId={workspaceId} commands={COMMANDS} />
        </section>
      )}
    </div>
  )
}

function Middle({ workspaceId }: { readonly workspaceId: string | null }) {
  const app = useApp()
  const link = useAppState((state) => state.sessions[workspaceId ?? '']?.link ?? null)
  const loaded = useAppState((state) => state.sessions[workspaceId ?? '']?.loaded === true)
  const empty = useAppState((state) => isEmpty(state.sessions[workspaceId ?? '']))
  if (workspaceId === null) return <WelcomeContainer />
  if (link?.kind === 'failed')
    return (
      <div className="mx-auto w-full max-w-(--container-text) flex-1 p-4">
        <ErrorState
          message={link.message}
          action={<Button onClick={() => void reopenSession(app, workspaceId)}>Load again</Button>}
        />
      </div>
    )
  if (!loaded)
    return (
      <Skeleton bars={[40, 90, 75]} label="Loading" className="mx-auto w-full max-w-(--container-text) flex-1 p-4" />
    )
  if (empty) return <WelcomeContainer />
  return <TranscriptContainer key={workspaceId} workspaceId={workspaceId} />
}

type Session = Parameters<Parameters<typeof useAppState>[0]>[0]['sessions'][string]

/** A workspace in which nothing was said yet and nothing is about to be. */
function isEmpty(session: Session | undefined): boolean {
  if (session === undefined) return false
  return (
    session.history.rows.length === 0 &&
    session.live === null &&
    session.status.phase === 'idle' &&
    session.history.pages[0]?.before === null
  )
}
