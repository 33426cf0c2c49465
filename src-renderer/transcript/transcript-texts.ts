// Owns what the transcript says aloud, once for each change and never for a token. Pure.

/** For a polite live region. */
export function announcementOf(busy: boolean, approvals: number, questions: number): string {
  if (approvals > 0) return 'The agent waits for your approval.'
  if (questions > 0) return 'The agent waits for your answer.'
  return busy ? 'The agent is working.' : ''
}
