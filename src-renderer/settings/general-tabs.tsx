// Owns the tabs that set one value each: permissions, appearance, data.
import type { ApprovalMode, Theme } from '@common/settings/settings-schema'
import { APPROVAL_MODES } from '../composer/composer-texts'
import { Button } from '../ui/button'
import { CopyButton } from '../ui/copy-button'
import { Segmented } from '../ui/segmented'
import { Switch } from '../ui/switch'
import { SettingBlock } from './setting-block'

export interface PermissionsTabProps {
  readonly mode: ApprovalMode
  readonly onMode: (mode: ApprovalMode) => void
}

const MODE_TEXTS: Record<ApprovalMode, string> = {
  ask: 'Reading inside the project is free. Every edit and every command asks first.',
  'accept-edits': 'Edits inside the project go through. Commands ask first.',
  auto: 'Edits and commands go through.'
}

export function PermissionsTab({ mode, onMode }: PermissionsTabProps) {
  return (
    <SettingBlock title="Approvals in new workspaces" text="Each workspace can use another mode.">
      <div role="radiogroup" aria-label="Approvals in new workspaces" className="flex flex-col gap-1">
        {APPROVAL_MODES.map(({ value, label }) => (
          <label
            key={value}
            className="grid min-h-11 grid-cols-[auto_1fr] gap-x-3 rounded-regular px-2 py-2 hover:bg-hover"
          >
            <input
              type="radio"
              name="approval-mode"
              checked={mode === value}
              onChange={() => onMode(value)}
              className="mt-1 accent-accent-fill"
            />
            <span className="text-body">{label}</span>
            <span className="col-start-2 text-small text-quiet">{MODE_TEXTS[value]}</span>
          </label>
        ))}
      </div>
      <p className="text-small text-quiet">
        Always asked, in every mode: paths outside the project, .git, .tidemark, and commands that can destroy data.
      </p>
    </SettingBlock>
  )
}

export interface AppearanceTabProps {
  readonly theme: Theme
  readonly onTheme: (theme: Theme) => void
  readonly machineRows: boolean
  readonly onMachineRows: (machineRows: boolean) => void
}

const THEMES: ReadonlyArray<{ value: Theme; label: string }> = [
  { value: 'system', label: 'Like the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' }
]

export function AppearanceTab({ theme, onTheme, machineRows, onMachineRows }: AppearanceTabProps) {
  return (
    <div className="flex flex-col gap-6">
      <SettingBlock title="Theme">
        <div>
          <Segmented label="Theme" value={theme} onChange={onTheme} options={THEMES} />
        </div>
      </SettingBlock>
      <Switch
        label="Show what is written for the agent alone"
        hint="Lead-ins, for example: what a fresh window is told first. Each is one line that opens."
        checked={machineRows}
        onChange={onMachineRows}
        testId="machine-rows"
      />
    </div>
  )
}

export interface DataTabProps {
  readonly homePath: string
  readonly version: string
  readonly syncs: boolean
  readonly onSyncs: (syncs: boolean) => void
  /** Title of the workspace on screen; null when there is none to export. */
  readonly workspaceTitle: string | null
  readonly onExport: (format: 'markdown' | 'jsonl') => void
}

export function DataTab(props: DataTabProps) {
  return (
    <div className="flex flex-col gap-6">
      <SettingBlock
        title="Home folder"
        text="Everything is a plain file in here. TIDEMARK_HOME points to another place."
      >
        <div className="flex items-center gap-1 rounded-regular border border-line bg-sunken py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 wrap-anywhere">{props.homePath}</code>
          <CopyButton text={() => props.homePath} label="Copy the path" />
        </div>
      </SettingBlock>
      <Switch
        label="Wait for the disk at each message"
        hint="Keeps every message through a power cut. Off leaves the moment of writing to the system."
        checked={props.syncs}
        onChange={props.onSyncs}
      />
      <SettingBlock
        title="Export"
        text={
          props.workspaceTitle === null
            ? 'Open a workspace to export it.'
            : `Writes “${props.workspaceTitle}” to a file. Keys are never in it.`
        }
      >
        <div className="flex flex-wrap gap-2">
          <Button disabled={props.workspaceTitle === null} onClick={() => props.onExport('markdown')}>
            Export as Markdown
          </Button>
          <Button disabled={props.workspaceTitle === null} onClick={() => props.onExport('jsonl')}>
            Export as JSONL
          </Button>
        </div>
      </SettingBlock>
      <p className="text-small text-quiet">Tidemark {props.version}</p>
    </div>
  )
}
