// Owns what stands where a conversation will be: one sentence, the first step, three things to try.
import { FolderOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import type { ExampleRequest } from './example-requests'

export interface WelcomeProps {
  readonly title: string
  readonly text: string
  /** Offered when no folder is open; opens one. */
  readonly onOpenFolder: (() => void) | null
  readonly examples: readonly ExampleRequest[]
  /** True when the examples need a folder first. */
  readonly examplesOpenFolder: boolean
  readonly onExample: (example: ExampleRequest) => void
  /** Says what answers: the demo model is named as such. */
  readonly modelNote: ReactNode
  readonly children?: ReactNode
}

export function Welcome(props: WelcomeProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center overflow-y-auto">
      <div className="my-auto flex w-full max-w-130 flex-col gap-6 py-2 narrow:py-[7vh]">
        <div className="flex flex-col gap-2">
          <TideLine />
          <h2 className="text-display font-semibold text-balance">{props.title}</h2>
          <p className="text-body text-quiet text-pretty">{props.text}</p>
        </div>
        {props.onOpenFolder !== null && (
          <div>
            <Button kind="primary" icon={<FolderOpen size={16} />} onClick={props.onOpenFolder} className="h-9 px-4">
              Open a folder
            </Button>
          </div>
        )}
        <section aria-labelledby="examples-heading" className="flex flex-col gap-1">
          <h3 id="examples-heading" className="pb-1 text-small font-medium text-quiet">
            {props.examplesOpenFolder ? 'Or begin with one of these; it asks for the folder first' : 'Try one of these'}
          </h3>
          <ul className="divide-y divide-line border-y border-line">
            {props.examples.map((example) => (
              <li key={example.title}>
                <button
                  type="button"
                  onClick={() => props.onExample(example)}
                  className="flex min-h-11 w-full flex-wrap items-baseline gap-x-3 px-2 py-2.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
                >
                  <span className="w-full text-small font-medium narrow:w-30">{example.title}</span>
                  <span className="min-w-0 flex-1 text-small text-quiet">{example.text}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
        <p className="text-small text-quiet">{props.modelNote}</p>
        {props.children}
      </div>
    </div>
  )
}

/** The mark of the product: where the water stood. */
function TideLine() {
  return (
    <div aria-hidden className="flex items-center gap-2 pb-2">
      <span className="h-px w-10 bg-accent" />
      <span className="h-px w-6 bg-line-strong" />
      <span className="h-px w-3 bg-line" />
    </div>
  )
}
