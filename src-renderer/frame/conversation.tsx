// Owns what stands in the middle: the conversation of the workspace on screen, or what there is instead.
import { useMemo } from 'react'
import { ComposerContainer } from '../composer/composer-container'
import { slashCommandsOf } from '../composer/slash-commands'
import { useFileDrop } from '../composer/use-incoming-files'
import { TrustContainer } from '../first-run/trust-container'
import { WelcomeContainer } from '../first-run/welcome-container'
import { HeaderContainer } from '../header/header-container'
import { useAppState } from '../store/app-context'
import { cx } from '../ui/cx'
import { RuntimeStrip } from './runtime-strip'
import { TranscriptContainer } from './transcript-container'

export function Conversation() {
  const workspaceId = useAppState((state) => state.selectedWorkspaceId)
  const told = useAppState((state) => {
    const workspace = workspaceId === null ? undefined : state.workspaces[workspaceId]
    return workspace === undefined ? undefined : state.commands[workspace.projectId]
  })
  const commands = useMemo(() => slashCommandsOf(told ?? []), [told])
  const { over, handlers } = useFileDrop(workspaceId)
  return (
    <div
      {...handlers}
      className={cx(
        'flex min-h-0 flex-1 flex-col [&_[data-testid=transcript]]:[scrollbar-gutter:stable]',
        over && 'outline-2 -outline-offset-4 outline-accent'
      )}
    >
      <RuntimeStrip />
      <HeaderContainer />
      {/* The scrollbar's room is kept free, so that transcript and composer stand in one column. */}
      {workspaceId === null ? (
        <div className="flex min-h-0 flex-1 flex-col px-5">
          <WelcomeContainer />
        </div>
      ) : (
        <TranscriptContainer key={workspaceId} workspaceId={workspaceId} />
      )}
      {/* The same column as the transcript's. */}
      <section
        aria-label="Message"
        data-region
        className="shrink-0 pr-[calc(12px+var(--scrollbar-width,0px))] pb-3 pl-3 narrow:pr-[calc(40px+var(--scrollbar-width,0px))] narrow:pl-10"
      >
        <div className="mx-auto flex max-w-card flex-col gap-2">
          <TrustContainer />
          {workspaceId !== null && (
            <ComposerContainer key={workspaceId} workspaceId={workspaceId} commands={commands} />
          )}
        </div>
      </section>
    </div>
  )
}
