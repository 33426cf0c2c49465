// Owns the one question per project whether its agents, skills and hooks may be loaded. It stands above the
// composer, never over it.
import { Button } from '../ui/button'

export interface TrustPromptProps {
  readonly projectName: string
  readonly files: readonly string[]
  readonly onAnswer: (trusted: boolean) => void
}

export function TrustPrompt({ projectName, files, onAnswer }: TrustPromptProps) {
  return (
    <section
      aria-label="Trust this project"
      className="rounded-regular border-l-2 border-l-accent bg-accent-surface py-2 pr-2 pl-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-48 flex-1 text-small">
          {projectName} brings agents, skills or hooks. They can steer the agent and run commands: load them only if you
          trust who wrote them.
        </p>
        <div className="flex gap-2">
          <Button small onClick={() => onAnswer(false)}>
            Leave them out
          </Button>
          <Button small kind="primary" onClick={() => onAnswer(true)}>
            Load them
          </Button>
        </div>
      </div>
      <details className="pt-1 text-small">
        <summary className="inline-flex items-center text-quiet touch:min-h-11">
          {files.length === 1 ? '1 file' : `${files.length} files`}
        </summary>
        <ul className="max-h-32 overflow-y-auto pt-1">
          {files.map((file) => (
            <li key={file} className="font-mono text-small wrap-anywhere">
              {file}
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
