// Owns the tab of what agents may do with memories (Y-2).
import type { Settings } from '@common/settings/settings-schema'
import { Segmented } from '../ui/segmented'
import { Switch } from '../ui/switch'
import { SettingBlock } from './setting-block'

export interface MemoryTabProps {
  readonly memory: Settings['memory']
  readonly onMemory: (memory: Settings['memory']) => void
  readonly hotMemories: boolean
  readonly onHotMemories: (hotMemories: boolean) => void
}

const MODES: ReadonlyArray<{ value: Settings['memory']; label: string }> = [
  { value: 'on', label: 'On' },
  { value: 'read-only', label: 'Read only' },
  { value: 'off', label: 'Off' }
]

const MODE_TEXTS: Record<Settings['memory'], string> = {
  on: 'Agents read memories and keep new ones.',
  'read-only': 'Agents read memories; every change of theirs is denied.',
  off: 'Agents see no memory and keep none.'
}

export function MemoryTab({ memory, onMemory, hotMemories, onHotMemories }: MemoryTabProps) {
  return (
    <div className="flex flex-col gap-6">
      <SettingBlock title="Memory of agents" text={MODE_TEXTS[memory]}>
        <Segmented label="Memory of agents" value={memory} onChange={onMemory} options={MODES} />
      </SettingBlock>
      <Switch
        label="Preload hot memories"
        hint="Gives each new window what you pinned and what agents used most: at most 8 memories, 48 KB."
        checked={hotMemories && memory !== 'off'}
        disabled={memory === 'off'}
        onChange={onHotMemories}
        testId="hot-memories"
      />
      <p className="text-small text-quiet">
        A change counts from the next turn. The memory panel works in any case: these switches are for agents.
      </p>
    </div>
  )
}
