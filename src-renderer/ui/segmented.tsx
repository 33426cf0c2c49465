// Owns the segmented choice: two to four values side by side, one chosen (theme, approval mode).
import { ToggleGroup as Radix } from 'radix-ui'

export interface SegmentedProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: ReadonlyArray<{ readonly value: Value; readonly label: string }>
}

export function Segmented<Value extends string>({ label, value, onChange, options }: SegmentedProps<Value>) {
  return (
    <Radix.Root
      type="single"
      aria-label={label}
      value={value}
      // Radix says '' when the chosen one is pressed again: one is always chosen.
      onValueChange={(next) => next !== '' && onChange(next as Value)}
      className="inline-flex w-fit flex-wrap rounded-regular border border-line bg-sunken p-0.5"
    >
      {options.map((option) => (
        <Radix.Item
          key={option.value}
          value={option.value}
          className="h-7 rounded-small px-3 text-small text-quiet transition-colors hover:text-text data-[state=on]:bg-overlay data-[state=on]:font-medium data-[state=on]:text-text touch:h-11"
        >
          {option.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  )
}
