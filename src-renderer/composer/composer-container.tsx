// Owns the composer of a workspace put together. The field, the chips and the send button read the draft
// themselves, so that a keystroke draws them and nothing around them.
import { Paperclip, ShieldCheck } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { isSummarising } from '@common/rows/display-rows'
import { isBusy } from '../store/session-state'
import { attachFile, removeAttachment } from '../store/actions/draft-actions'
import { sendWritten } from '../store/actions/send-written'
import { interruptTurn } from '../store/actions/turn-actions'
import { updateWorkspace } from '../store/actions/workspace-actions'
import { openDialog } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { isSendable } from '../store/draft-state'
import { agentsOf, modelOf } from '../store/selectors'
import { IconButton } from '../ui/icon-button'
import { AttachmentChips } from './attachment-chips'
import { BannerContainer } from './banner-container'
import { ChoicePicker } from './choice-picker'
import {
  APPROVAL_MODES,
  type ComposerMoment,
  groupModels,
  modelLabel,
  placeholderOf,
  thinkingOptions
} from './composer-texts'
import { CountdownContainer } from './countdown-container'
import { EditingStrip } from './editing-strip'
import { ModelPicker } from './model-picker'
import { PromptField } from './prompt-field'
import { QueueContainer } from './queue-container'
import { SendControls } from './send-controls'
import { SendingQuestion } from './sending-question'
import { useDraft } from './use-draft'
import { useDraftSaving } from './use-draft-saving'
import { useFilePaste } from './use-incoming-files'
import { usePrompt } from './use-prompt'
import type { SlashCommand } from './slash-commands'

export interface ComposerContainerProps {
  readonly workspaceId: string
  /** Commands that exist; an empty list means that `/` is ordinary text. */
  readonly commands: readonly SlashCommand[]
}

export function ComposerContainer({ workspaceId, commands }: ComposerContainerProps) {
  const [openPicker, setOpenPicker] = useState<'agent' | 'model' | null>(null)
  return (
    <div className="flex flex-col gap-2">
      <BannerContainer
        workspaceId={workspaceId}
        onChooseModel={() => setOpenPicker('model')}
        onChooseAgent={() => setOpenPicker('agent')}
      />
      <QueueContainer workspaceId={workspaceId} />
      <EditingStrip workspaceId={workspaceId} />
      <SendingQuestion workspaceId={workspaceId} />
      <div className="@container rounded-large border border-line-strong bg-surface transition-colors focus-within:border-accent">
        <Chips workspaceId={workspaceId} />
        <Prompt workspaceId={workspaceId} commands={commands} />
        {/* On a phone send flows with the pickers; elsewhere it keeps its corner. */}
        <div className="flex flex-wrap items-center gap-0.5 px-2 pb-2 narrow:items-end">
          <div className="contents min-h-8 min-w-0 flex-1 flex-wrap items-center gap-0.5 narrow:flex">
            <Attach workspaceId={workspaceId} />
            <Pickers workspaceId={workspaceId} openPicker={openPicker} onOpenPicker={setOpenPicker} />
          </div>
          <CountdownContainer workspaceId={workspaceId} />
          <Sending workspaceId={workspaceId} />
        </div>
      </div>
    </div>
  )
}

function Chips({ workspaceId }: { readonly workspaceId: string }) {
  const app = useApp()
  const attachments = useDraft(workspaceId, (draft) => draft.attachments)
  return <AttachmentChips attachments={attachments} onRemove={(id) => removeAttachment(app, workspaceId, id)} />
}

function Prompt({ workspaceId, commands }: ComposerContainerProps) {
  const text = useDraft(workspaceId, (draft) => draft.text)
  const moment = useMoment(workspaceId)
  const isMac = useAppState((state) => state.start.kind === 'ready' && state.start.facts.platform === 'darwin')
  const { field, ...prompt } = usePrompt(workspaceId, text, commands)
  useDraftSaving(workspaceId, text)
  const onPaste = useFilePaste(workspaceId)
  return (
    <PromptField
      {...prompt}
      ref={field}
      text={text}
      placeholder={placeholderOf(moment, isMac ? '⌘' : 'Ctrl')}
      onPaste={onPaste}
    />
  )
}

function Sending({ workspaceId }: { readonly workspaceId: string }) {
  const app = useApp()
  const sendable = useDraft(workspaceId, isSendable)
  const moment = useMoment(workspaceId)
  return (
    <SendControls
      moment={moment}
      sendable={sendable}
      onSend={() => void sendWritten(app, workspaceId, 'tool-end')}
      onStop={() => void interruptTurn(app, workspaceId)}
    />
  )
}

function useMoment(workspaceId: string): ComposerMoment {
  return useAppState(({ sessions: { [workspaceId]: session } }) => {
    if (session === undefined || !isBusy(session.status)) return 'idle'
    return isSummarising(session.live, session.history.rows.at(-1) ?? null) ? 'summary' : 'turn'
  })
}

function Attach({ workspaceId }: { readonly workspaceId: string }) {
  const app = useApp()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton small label="Attach files" icon={<Paperclip size={14} />} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          for (const file of event.target.files ?? []) void attachFile(app, workspaceId, file)
          event.target.value = ''
        }}
      />
    </>
  )
}

interface PickersProps {
  readonly workspaceId: string
  readonly openPicker: 'agent' | 'model' | null
  readonly onOpenPicker: (open: 'agent' | 'model' | null) => void
}

function Pickers({ workspaceId, openPicker, onOpenPicker }: PickersProps) {
  const app = useApp()
  const workspace = useAppState((state) => state.workspaces[workspaceId])
  const models = useAppState((state) => state.models)
  const providers = useAppState((state) => state.providers)
  const agents = useAppState((state) => agentsOf(state, workspace?.projectId ?? null))
  const model = useAppState((state) => modelOf(state, workspace?.model ?? ''))
  const groups = useMemo(() => (models === null ? null : groupModels(models, providers ?? [])), [models, providers])
  if (workspace === undefined) return null
  const update = (changes: Parameters<typeof updateWorkspace>[2]) => void updateWorkspace(app, workspaceId, changes)
  const levels = model?.thinkingLevels ?? []
  return (
    <>
      <ChoicePicker
        name="Agent"
        testId="agent-picker"
        open={openPicker === 'agent'}
        onOpenChange={(open) => onOpenPicker(open ? 'agent' : null)}
        value={workspace.agentId}
        options={agents.map((agent) => ({ value: agent.id, label: agent.name, hint: agent.description }))}
        onChange={(agentId) => update({ agentId })}
      />
      <ModelPicker
        label={modelLabel(model, workspace.model)}
        chosen={workspace.model}
        groups={groups}
        open={openPicker === 'model'}
        onOpenChange={(open) => onOpenPicker(open ? 'model' : null)}
        onChoose={(chosen) => update({ model: chosen })}
        onManage={() => openDialog(app, { kind: 'settings', tab: 'providers' })}
      />
      {levels.length > 1 && (
        <ChoicePicker
          name="Thinking"
          value={workspace.thinkingLevel}
          options={thinkingOptions(levels, workspace.thinkingLevel)}
          onChange={(thinkingLevel) => update({ thinkingLevel })}
        />
      )}
      <ChoicePicker
        name="Approvals"
        icon={<ShieldCheck size={13} />}
        value={workspace.approvalMode}
        options={APPROVAL_MODES}
        onChange={(approvalMode) => update({ approvalMode })}
      />
    </>
  )
}
