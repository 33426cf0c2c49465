// Owns how much of a request is the same, from its beginning on, as the request before it: what a provider may read from
// its cache (L-4). Pure; it knows digests alone, so it works on requests whose rows are gone.
import type { RequestDigest } from './canonical-request'

/** What a request held, and which model it went to. */
export type PrefixRequest = RequestDigest & { readonly model: string }

export interface PrefixChange {
  /** Bytes from the beginning that are as they were: of canonical JSON, so a measure of the share alone. */
  readonly stableBytes: number
  readonly totalBytes: number
  /** What is another than before, first; null where the request only adds to the one before, or ends earlier. */
  readonly first: FirstChange | null
}

export interface FirstChange {
  readonly part: 'model' | 'tool' | 'system' | 'message'
  /** Of the tool or the message, from 0; null for the others. */
  readonly index: number | null
  readonly role: string | null
}

/** Compares in the order in which providers keep a prefix: the model's own cache, tools, system text, messages. */
export function prefixChange(previous: PrefixRequest, next: PrefixRequest): PrefixChange {
  const pieces = piecesOf(next)
  const before = piecesOf(previous)
  const isSameModel = previous.model === next.model
  // A request has as many tools as the one before it, or its prefix breaks where the lists part.
  const at = pieces.findIndex((piece, index) => !isSamePiece(before[index], piece))
  const firstOther = at === -1 ? pieces.length : at
  const stable = isSameModel ? pieces.slice(0, firstOther) : []
  const other = pieces[firstOther]
  const breaks = other !== undefined && before[firstOther] !== undefined
  return {
    stableBytes: bytesOf(stable),
    totalBytes: bytesOf(pieces),
    first: !isSameModel ? { part: 'model', index: null, role: null } : breaks ? changeOf(other) : null
  }
}

interface Piece extends FirstChange {
  readonly bytes: number
  readonly sha256: string
}

function piecesOf({ tools, system, messages }: RequestDigest): Piece[] {
  return [
    ...tools.map(({ bytes, sha256 }, index) => ({ part: 'tool' as const, index, role: null, bytes, sha256 })),
    { part: 'system', index: null, role: null, ...system },
    ...messages.map(({ role, bytes, sha256 }, index) => ({ part: 'message' as const, index, role, bytes, sha256 }))
  ]
}

function isSamePiece(before: Piece | undefined, now: Piece): boolean {
  return before?.part === now.part && before.sha256 === now.sha256
}

function changeOf({ part, index, role }: Piece): FirstChange {
  return { part, index, role }
}

function bytesOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes, 0)
}
