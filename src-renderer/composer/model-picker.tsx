// Owns choosing the model: grouped by provider, with a filter. Models without a key are shown, say why, and
// lead to settings.
import { Check, ChevronDown, Settings } from 'lucide-react'
import type { ModelInfo } from '@common/models/model-info'
import { Button } from '../ui/button'
import { Command, CommandGroup, CommandItem } from '../ui/command'
import { Popover } from '../ui/popover'
import { shortLimit, type ModelGroup } from './composer-texts'

export interface ModelPickerProps {
  readonly label: string
  /** Drawn as a field, where it stands alone. */
  readonly framed?: boolean
  readonly chosen: string
  /** Null while the list loads. */
  readonly groups: readonly ModelGroup[] | null
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onChoose: (modelRef: string) => void
  readonly onManage: () => void
}

export function ModelPicker(props: ModelPickerProps) {
  const { label, framed = false, chosen, groups, open, onOpenChange, onChoose, onManage } = props
  const close = (act: () => void) => () => {
    onOpenChange(false)
    act()
  }
  return (
    <Popover
      open={open}
      onOpenChange={onOpenChange}
      label="Model"
      side={framed ? 'bottom' : 'top'}
      className="flex w-80 flex-col p-0!"
      trigger={
        <Button
          kind={framed ? 'secondary' : 'quiet'}
          small={!framed}
          data-testid={framed ? undefined : 'model-picker'}
          aria-label={`Model: ${label}`}
          className="min-w-0 shrink"
        >
          <span className="min-w-0 truncate">{label}</span>
          <ChevronDown size={12} className="shrink-0" />
        </Button>
      }
    >
      <Command
        label="Models"
        initial={chosen}
        placeholder="Filter models"
        empty={groups === null ? 'Loading models' : 'No model matches'}
        footer={
          <div className="border-t border-line p-1">
            <Button
              kind="quiet"
              className="w-full justify-start"
              icon={<Settings size={14} />}
              onClick={close(onManage)}
            >
              Manage providers
            </Button>
          </div>
        }
      >
        {groups?.map((group) => (
          <CommandGroup key={group.providerId} heading={group.unavailable ?? group.name}>
            {group.models.map((model) => (
              <CommandItem
                key={model.ref}
                value={model.ref}
                keywords={[model.name, group.name]}
                onSelect={close(() => (model.available ? onChoose(model.ref) : onManage()))}
              >
                <ModelLine model={model} chosen={model.ref === chosen} />
              </CommandItem>
            ))}
          </CommandGroup>
        ))}
      </Command>
    </Popover>
  )
}

function ModelLine({ model, chosen }: { readonly model: ModelInfo; readonly chosen: boolean }) {
  return (
    <>
      <Check size={14} className={chosen ? 'shrink-0 text-accent' : 'invisible shrink-0'} aria-hidden />
      <span className={model.available ? 'min-w-0 flex-1 truncate' : 'min-w-0 flex-1 truncate text-quiet'}>
        {model.name}
        {chosen && <span className="sr-only"> (chosen)</span>}
      </span>
      <span className="text-micro text-quiet tabular-nums">
        {model.available ? shortLimit(model.contextLimit) : 'Add a key'}
      </span>
    </>
  )
}
