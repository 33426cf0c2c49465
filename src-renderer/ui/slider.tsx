// Owns the slider: one value in steps, by pointer and by keyboard. What is committed is what the person let go of.
import { Slider as Radix } from 'radix-ui'

export interface SliderProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly step: number
  /** The value in words, for those who hear it. */
  readonly valueText: string
  /** Each value that it passes. */
  readonly onChange: (value: number) => void
  /** The value at which it was left. */
  readonly onCommit: (value: number) => void
  readonly testId?: string
}

export function Slider({ label, value, min, max, step, valueText, onChange, onCommit, testId }: SliderProps) {
  return (
    <Radix.Root
      value={[value]}
      min={min}
      max={max}
      step={step}
      onValueChange={([next]) => next !== undefined && onChange(next)}
      onValueCommit={([next]) => next !== undefined && onCommit(next)}
      className="relative flex h-6 w-full touch-none items-center touch:h-11"
    >
      <Radix.Track className="relative h-1 flex-1 rounded-full bg-line-strong">
        <Radix.Range className="absolute h-full rounded-full bg-accent" />
      </Radix.Track>
      <Radix.Thumb
        aria-label={label}
        aria-valuetext={valueText}
        data-testid={testId}
        className="block size-4 rounded-full border-2 border-accent bg-surface transition-colors hover:bg-accent-surface"
      />
    </Radix.Root>
  )
}
