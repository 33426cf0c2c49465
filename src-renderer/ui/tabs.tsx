// Owns tabs: a row of names (two where it is narrow), the chosen one underlined; arrows move, Home and End jump.
import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from './cx'

export interface TabsProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  /** Stands in a panel: 16 px of edge instead of 24, and as high as the header beside it. */
  readonly narrow?: boolean
  readonly tabs: ReadonlyArray<{ readonly value: Value; readonly label: string; readonly content: ReactNode }>
}

export function Tabs<Value extends string>({ label, value, onChange, narrow = false, tabs }: TabsProps<Value>) {
  return (
    <Radix.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Radix.List
        aria-label={label}
        className={cx('flex shrink-0 flex-wrap gap-x-4 border-b border-line', narrow ? 'px-4 pt-2 touch:pt-0' : 'px-6')}
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mx-2 -mb-px h-9 border-b-2 px-2 border-transparent text-small font-medium whitespace-nowrap text-quiet transition-colors hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-text touch:h-11"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="min-h-0 flex-1 overflow-auto outline-offset-[-2px]">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
