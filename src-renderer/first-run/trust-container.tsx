// Owns the trust prompt wired to the state: shown while the project brings files and was never asked about.
import { trustProject } from '../store/actions/project-actions'
import { useApp, useAppState } from '../store/app-context'
import { selectedProject } from '../store/selectors'
import { TrustPrompt } from './trust-prompt'

const NONE: readonly string[] = []

export function TrustContainer() {
  const app = useApp()
  const project = useAppState(selectedProject)
  const files = useAppState((state) => state.offers[project?.id ?? ''] ?? NONE)
  if (project === null || project.trusted !== undefined || files.length === 0) return null
  return (
    <TrustPrompt
      projectName={project.name}
      files={files}
      onAnswer={(trusted) => void trustProject(app, project.id, trusted)}
    />
  )
}
