// Owns the tab of the experiments (U-10): what each does, what it needs, and what comes before it.
import { TOKEN_BUDGET } from '@common/budget/budget-mode'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { Switch } from '../ui/switch'

export interface ExperimentsTabProps {
  /** Undefined while the person has not chosen: then it is on for the demo model alone. */
  readonly tokenBudget: boolean | undefined
  readonly onTokenBudget: (on: boolean | undefined) => void
}

export function ExperimentsTab({ tokenBudget, onTokenBudget }: ExperimentsTabProps) {
  return (
    <div className="flex flex-col gap-6">
      <section aria-label="Token-budget windows" className="flex flex-col gap-3">
        <Switch
          label="Token-budget windows"
          hint="When a window is nearly full, the agent is asked to write its notes. Then a fresh window begins, and the work goes on there. No model is asked for a summary, and no message is lost."
          checked={tokenBudget === true}
          onChange={onTokenBudget}
          testId={`experiment-${TOKEN_BUDGET}`}
        />
        <dl className="grid gap-x-4 gap-y-2 text-small narrow:grid-cols-[6rem_1fr]">
          <Fact name="Needs">
            An agent that may use <code>session_history</code>, to read the windows before. Exec, Plan and Explore may.
          </Fact>
          <Fact name="Instead of">
            A summary by a model, which is what happens at the same point while this is off.
          </Fact>
          <Fact name="Comes first">
            A threshold that is off, in Context: the window is then used up to its hard ceiling and stops there.
          </Fact>
          <Fact name="Demo model">
            <DemoNote tokenBudget={tokenBudget} onTokenBudget={onTokenBudget} />
          </Fact>
        </dl>
      </section>
      <p className="text-small text-quiet">A change counts from the next message.</p>
    </div>
  )
}

function DemoNote({ tokenBudget, onTokenBudget }: Pick<ExperimentsTabProps, 'tokenBudget' | 'onTokenBudget'>) {
  if (tokenBudget === true) return 'On, as with every other model.'
  return tokenBudget === undefined ? (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      On until you switch it off, so that its small window can show how it works.
      <Button small onClick={() => onTokenBudget(false)}>
        Switch off there too
      </Button>
    </span>
  ) : (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      Switched off, as with every other model.
      <Button small onClick={() => onTokenBudget(undefined)}>
        Leave on there
      </Button>
    </span>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
