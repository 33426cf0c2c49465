// Owns the forms of our ids: row ids, window ids and item ids. No state, no randomness of its own.

/** Id of the window that begins at the boundary row with this sequence; 0 is the root window. */
export function windowIdOf(boundarySequence: number): string {
  return `w:${boundarySequence}`
}

/** Sequence of a window's boundary row (0 for the root), or null when `windowId` has another form. */
export function sequenceOfWindowId(windowId: string): number | null {
  const match = /^w:(\d{1,15})$/.exec(windowId)
  return match?.[1] === undefined ? null : Number(match[1])
}

/** Name of the file that holds a window, inside `windows/`. */
export function windowFileName(boundarySequence: number): string {
  return `w-${boundarySequence}.jsonl`
}

/** Boundary sequence from a window file's name, or null when the name has another form. */
export function sequenceOfWindowFile(fileName: string): number | null {
  const match = /^w-(\d{1,15})\.jsonl$/.exec(fileName)
  return match?.[1] === undefined ? null : Number(match[1])
}

/** A model is written PROVIDER_ID:MODEL_ID; the model id may itself hold colons (Ollama tags do). */
export function splitModelRef(modelRef: string): { providerId: string; modelId: string } | null {
  const at = modelRef.indexOf(':')
  if (at <= 0 || at === modelRef.length - 1) return null
  return { providerId: modelRef.slice(0, at), modelId: modelRef.slice(at + 1) }
}
