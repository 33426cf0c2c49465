// Owns how the parts of one assistant row become segments, and segments the pieces of about half a screen
// that the virtual list holds apart. Pure; pieces of a growing row keep their borders (split-markdown).
import { createGrowingSplitter, linkDefinitionsOf, PIECE_CHARS, splitMarkdown } from './split-markdown'
import { isKnownPart } from './row-schema'
import type { Row, ToolPart } from './row-schema'
import type { Segment } from './display-items'

/** What a tool card weighs against text when pieces are cut: its one line, and its detail when opened. */
const CARD_CHARS = 200

/** One text streams at a time; another one is split anew. */
const splitStreaming = createGrowingSplitter()

/** Segments of a row in order; `live` marks the last text or reasoning as streaming. */
export function segmentsOf(row: Row, live: boolean): Segment[] {
  const segments: Segment[] = []
  let tools: ToolPart[] = []
  const closeTools = () => {
    const first = tools[0]
    if (first !== undefined) segments.push({ kind: 'tools', key: `tools:${first.toolCallId}`, parts: tools })
    tools = []
  }
  row.parts.forEach((part, index) => {
    const streaming = live && index === row.parts.length - 1
    if (!isKnownPart(part)) {
      closeTools()
      segments.push({ kind: 'unknown', key: `part:${index}`, partType: part.type })
    } else if (part.type === 'dynamic-tool') {
      if (tools.length * CARD_CHARS >= PIECE_CHARS) closeTools()
      tools.push(part)
    } else if (part.type === 'text' && (part.text.trim() !== '' || streaming)) {
      closeTools()
      const pieces = streaming ? splitStreaming(part.text) : splitMarkdown(part.text)
      const definitions = pieces.length > 1 && !streaming ? linkDefinitionsOf(part.text) : ''
      pieces.forEach((text, piece) =>
        segments.push({
          kind: 'text',
          key: `text:${index}:${piece}`,
          text,
          definitions,
          streaming: streaming && piece === pieces.length - 1
        })
      )
    } else if (part.type === 'reasoning' && (part.text.trim() !== '' || streaming)) {
      closeTools()
      segments.push({ kind: 'reasoning', key: `reasoning:${index}`, text: part.text, streaming })
    } else if (part.type === 'file') {
      closeTools()
      segments.push({ kind: 'file', key: `file:${index}`, part })
    }
  })
  closeTools()
  return segments
}

/** Groups segments into pieces of about half a screen; at least one piece, which may be empty. */
export function piecesOf(segments: readonly Segment[]): Segment[][] {
  const pieces: Segment[][] = [[]]
  let weight = 0
  for (const segment of segments) {
    if (weight >= PIECE_CHARS) {
      pieces.push([])
      weight = 0
    }
    pieces.at(-1)?.push(segment)
    weight += weightOf(segment)
  }
  return pieces
}

function weightOf(segment: Segment): number {
  switch (segment.kind) {
    case 'text':
      return segment.text.length
    case 'tools':
      return segment.parts.length * CARD_CHARS
    case 'file':
    case 'reasoning':
    case 'unknown':
      return CARD_CHARS
  }
}
