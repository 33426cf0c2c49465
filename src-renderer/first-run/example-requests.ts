// Owns the three requests that a newcomer can try. They work on the demo model in any project, and end
// within seconds.

export interface ExampleRequest {
  readonly title: string
  readonly text: string
}

export const EXAMPLE_REQUESTS: readonly ExampleRequest[] = [
  { title: 'Look around', text: 'What is in this project? Give me an overview.' },
  { title: 'Find something', text: 'Search the project for TODO and show me where it is.' },
  { title: 'Run a command', text: 'Run git status and tell me what changed.' }
]
