// Owns where the loaded rows stand in the history, as the transcript needs to know it.

/** Newer rows that are not loaded: the list ends before the newest row, and does not follow the end. */
export interface NewerRows {
  readonly state: 'idle' | 'loading' | 'failed'
  /** Rows that came at the end of the history since it was last on screen. */
  readonly newRows: number
  /** Asked when the view nears the newest loaded row, and again after a failure by the person. */
  readonly onNeed: () => void
  /** Leads back to the newest row. */
  readonly onLatest: () => void
}

export interface TranscriptPlace {
  /** Changes when the rows are replaced by others from elsewhere: the list begins anew. */
  readonly span: number
  /** False where it shall go to a row at once; looked at when the list begins. */
  readonly opensAtEnd: boolean
  /** Null where the loaded rows end with the newest. */
  readonly newer: NewerRows | null
}

export const AT_END: TranscriptPlace = { span: 0, opensAtEnd: true, newer: null }
