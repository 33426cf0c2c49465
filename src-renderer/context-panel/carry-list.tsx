// Owns the list of what the next compaction carries over (K-8): a switch for all and one for each. Props in, JSX out.
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import type { CarryOverView } from '@common/contract/context-views'
import { Button } from '../ui/button'
import { cx } from '../ui/cx'
import { Switch } from '../ui/switch'
import { carryLines, carrySummary } from './carry-texts'

export type CarryState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ready'; readonly view: CarryOverView }

export interface CarryListProps {
  readonly state: CarryState
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  /** Null is the switch for all. */
  readonly onSwitch: (itemId: string | null, isOn: boolean) => void
  readonly onRetry: () => void
}

export function CarryList({ state, open, onOpen, ...props }: CarryListProps) {
  const id = useId()
  return (
    <section aria-labelledby={`${id}-heading`} data-testid="carry-over" className="border-t border-line px-4 py-3">
      <h2 id={`${id}-heading`} className="text-small font-semibold">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? `${id}-body` : undefined}
          onClick={() => onOpen(!open)}
          className="-mx-1.5 flex min-h-7 w-[calc(100%+0.75rem)] items-center gap-1.5 rounded-small px-1.5 text-left transition-colors hover:bg-hover touch:min-h-11"
        >
          <ChevronRight size={13} aria-hidden className={cx('shrink-0 text-quiet', open && 'rotate-90')} />
          <span className="flex-1">The next compaction carries</span>
          {open && state.kind === 'ready' && (
            <span className="font-normal text-quiet tabular-nums">{carrySummary(state.view)}</span>
          )}
        </button>
      </h2>
      {open && (
        <div id={`${id}-body`} className="flex flex-col gap-2 pt-2">
          <Body state={state} {...props} />
        </div>
      )}
    </section>
  )
}

function Body({ state, onSwitch, onRetry }: Pick<CarryListProps, 'state' | 'onSwitch' | 'onRetry'>) {
  if (state.kind === 'loading') return <p className="text-small text-quiet">Looking at what there is</p>
  if (state.kind === 'failed')
    return (
      <div className="flex flex-col items-start gap-2">
        <p className="text-small wrap-anywhere">{state.message}</p>
        <Button small onClick={onRetry}>
          Look again
        </Button>
      </div>
    )
  const { view } = state
  return (
    <>
      <Switch
        label="Carry over"
        hint="Beside its summary. A change counts from the next compaction on."
        checked={view.isOn}
        onChange={(isOn) => onSwitch(null, isOn)}
        testId="carry-all"
      />
      {view.items.length === 0 ? (
        <p className="text-small text-quiet">There is no plan, edited file, to-do list or skill in this window yet.</p>
      ) : (
        <ul className="flex flex-col gap-2 border-t border-line pt-2">
          {carryLines(view).map(({ id, name, hint, isOn }) => (
            <li key={id}>
              <Switch
                label={
                  <span dir="auto" className="text-small wrap-anywhere">
                    {name}
                  </span>
                }
                hint={hint === null ? undefined : <span className="wrap-anywhere">{hint}</span>}
                checked={isOn}
                disabled={!view.isOn}
                onChange={(next) => onSwitch(id, next)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
