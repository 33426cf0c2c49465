// Owns where the agent keeps its working notes from one context window to the next (N-1).

/** A memory of the workspace like any other, except that a fresh window is always given it. */
export const NOTES_PATH = '/memories/workspace/context-notes.md'
