// Owns the list with a filter (palette, model picker): type to narrow, arrows move, Enter takes.
import { Command as Cmdk } from 'cmdk'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'

export interface CommandProps {
  /** Accessible name of field and list. */
  readonly label: string
  readonly placeholder: string
  /** What the list says when nothing matches. */
  readonly empty: string
  readonly footer?: ReactNode
  /** Value of the item that is marked at first; else the first one is. */
  readonly initial?: string
  readonly children: ReactNode
}

export function Command({ label, placeholder, empty, footer, initial, children }: CommandProps) {
  return (
    <Cmdk
      label={label}
      loop
      {...(initial === undefined ? {} : { defaultValue: initial })}
      className="flex max-h-inherit min-h-0 flex-col"
    >
      <div className="flex shrink-0 items-center gap-2 border-b border-line px-3">
        <Search size={14} className="shrink-0 text-quiet" aria-hidden />
        <Cmdk.Input
          placeholder={placeholder}
          className="h-10 min-w-0 flex-1 bg-transparent text-body text-text outline-none touch:h-12"
        />
      </div>
      <Cmdk.List className="max-h-80 min-h-0 flex-1 overflow-x-hidden overflow-y-auto p-1">
        <Cmdk.Empty className="px-2 py-6 text-center text-small text-quiet">{empty}</Cmdk.Empty>
        {children}
      </Cmdk.List>
      {footer}
    </Cmdk>
  )
}

export function CommandGroup({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Cmdk.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-micro [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-quiet"
    >
      {children}
    </Cmdk.Group>
  )
}

export interface CommandItemProps {
  /** What the filter reads; must differ from every other item's. */
  readonly value: string
  readonly keywords?: string[]
  readonly onSelect: () => void
  readonly testId?: string
  readonly children: ReactNode
}

export function CommandItem({ value, keywords, onSelect, testId, children }: CommandItemProps) {
  return (
    <Cmdk.Item
      value={value}
      {...(keywords === undefined ? {} : { keywords })}
      onSelect={onSelect}
      data-testid={testId}
      className="flex min-h-8 cursor-default items-center gap-2 rounded-regular px-2 text-small select-none data-[selected=true]:bg-hover touch:min-h-11"
    >
      {children}
    </Cmdk.Item>
  )
}
