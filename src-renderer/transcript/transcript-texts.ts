// Owns what the transcript says aloud, once for each change and never for a token. Pure.

/** For a polite live region. */
export function announcementOf(doing: 'nothing' | 'turn' | 'summary', approvals: number, questions: number): string {
  if (approvals > 0) return 'The agent waits for your approval.'
  if (questions > 0) return 'The agent waits for your answer.'
  if (doing === 'summary') return 'This window is being summarised.'
  return doing === 'turn' ? 'The agent is working.' : ''
}
