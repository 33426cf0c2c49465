// Owns the distances between items and a guess at their heights before they are measured. Pure, in pixels.
import type { DisplayItem, Segment } from '@common/rows/display-items'

/** Rows stand this far apart; parts of one row half of it. */
const ROW_GAP = 16
const PART_GAP = 8
const LINE_HEIGHT = 22
/** Characters on a line of the text column at 14 px. */
const LINE_CHARS = 96
const CARD_HEIGHT = 32
/** Of a summary of some length, folded, with its head. */
const SUMMARY_HEIGHT = 210

/**
 * Space below an item, from what comes after it; 0 at the end. Below and not above, so that older rows in
 * front of an item leave its height as it is: nothing that a person reads moves.
 */
export function gapAfter(item: DisplayItem, next: DisplayItem | undefined): number {
  if (next === undefined) return 0
  if (isTide(next) || isTide(item)) return ROW_GAP
  if (next.kind === 'working' || next.kind === 'paused') return PART_GAP
  if (next.kind === 'line' && item.kind === 'line') return PART_GAP / 2
  if (next.kind === 'assistant' && item.kind === 'assistant' && !next.first) return PART_GAP
  // A new turn begins after a deeper breath.
  return next.kind === 'person' || next.kind === 'not-sent' ? 2 * ROW_GAP : ROW_GAP
}

/** A line between two windows, or what will be one. */
function isTide({ kind }: DisplayItem): boolean {
  return kind === 'divider' || kind === 'summarising'
}

/** A first guess at an item's height; what is measured takes its place. */
export function estimateHeight(item: DisplayItem): number {
  switch (item.kind) {
    case 'person':
      return 32 + textHeight(row(item.row.parts))
    case 'assistant':
      if (item.summary) return SUMMARY_HEIGHT
      return item.segments.reduce(
        (sum, segment) => sum + segmentHeight(segment) + PART_GAP,
        item.ends === null ? 0 : 28
      )
    case 'not-sent':
    case 'problem':
      return 84
    case 'divider':
    case 'summarising':
      return 24
    case 'copy':
    case 'line':
    case 'damaged':
    case 'working':
    case 'retrying':
    case 'paused':
      return 28
  }
}

function segmentHeight(segment: Segment): number {
  switch (segment.kind) {
    case 'text':
      return textHeight(segment.text)
    case 'tools':
      return segment.parts.length * CARD_HEIGHT
    case 'reasoning':
    case 'file':
    case 'unknown':
      return CARD_HEIGHT
  }
}

function textHeight(text: string): number {
  let breaks = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks += 1
  return (Math.ceil(text.length / LINE_CHARS) + breaks / 2) * LINE_HEIGHT
}

function row(parts: ReadonlyArray<{ readonly type: string; readonly text?: unknown }>): string {
  const first = parts.find((part) => part.type === 'text')
  return typeof first?.text === 'string' ? first.text.slice(0, 1_200) : ''
}
