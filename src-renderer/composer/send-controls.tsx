// Owns send and stop. While a turn runs both stand there: send queues, stop interrupts.
import { ArrowUp, ListPlus, Square } from 'lucide-react'
import { IconButton } from '../ui/icon-button'
import { type ComposerMoment, SEND_LABELS } from './composer-texts'

export interface SendControlsProps {
  readonly moment: ComposerMoment
  readonly sendable: boolean
  readonly onSend: () => void
  readonly onStop: () => void
}

export function SendControls({ moment, sendable, onSend, onStop }: SendControlsProps) {
  const busy = moment !== 'idle'
  return (
    <div className="ml-auto flex shrink-0 items-center gap-1">
      {busy && (
        <IconButton
          label="Stop"
          shortcut="Esc"
          data-testid="composer-stop"
          icon={<Square size={13} fill="currentColor" />}
          onClick={onStop}
          className="border border-line text-text!"
        />
      )}
      <IconButton
        label={SEND_LABELS[moment]}
        shortcut="Enter"
        data-testid="composer-send"
        disabled={!sendable}
        icon={busy ? <ListPlus size={16} /> : <ArrowUp size={16} />}
        onClick={onSend}
        className="bg-accent-fill text-on-accent! hover:bg-accent-fill-hover! disabled:bg-raised! disabled:text-quiet! disabled:opacity-100!"
      />
    </div>
  )
}
