// Owns the texts of pieces that are open: each read when it is opened, and page by page from there on.
import { useState } from 'react'
import type { InspectedPiece } from '@common/contract/inspector-views'
import { readPiece, type RequestPlace } from '../store/actions/inspector-actions'
import { useApp } from '../store/app-context'
import { pieceKey } from './inspector-texts'

export interface PieceText {
  /** Null until the first page is there. */
  readonly text: string | null
  readonly totalChars: number
  readonly problem: string | null
  readonly isAsking: boolean
  /** Reads on; null at the end. */
  readonly onMore: (() => void) | null
}

interface Held {
  readonly text: string | null
  readonly totalChars: number
  readonly nextOffset: number | null
  readonly problem: string | null
  readonly isAsking: boolean
}

const EMPTY: Held = { text: null, totalChars: 0, nextOffset: 0, problem: null, isAsking: true }

export function usePieceTexts(place: RequestPlace): {
  readonly openedOf: (piece: InspectedPiece) => PieceText | null
  readonly turn: (piece: InspectedPiece) => void
} {
  const app = useApp()
  const [open, setOpen] = useState<Readonly<Record<string, Held>>>({})

  async function read(piece: InspectedPiece, before: Held): Promise<void> {
    const key = pieceKey(piece)
    const change = (to: Held): void => setOpen((all) => (all[key] === undefined ? all : { ...all, [key]: to }))
    const answer = await readPiece(app, place, { part: piece.part, index: piece.index }, before.nextOffset ?? 0)
    if (!answer.ok) return change({ ...before, problem: answer.error.message, isAsking: false })
    const { text, nextOffset, totalChars } = answer.value
    change({ text: (before.text ?? '') + text, totalChars, nextOffset, problem: null, isAsking: false })
  }
  return {
    openedOf: (piece) => {
      const held = open[pieceKey(piece)]
      if (held === undefined) return null
      const canReadOn = held.text !== null && held.nextOffset !== null
      const onMore = (): void => {
        setOpen((all) => ({ ...all, [pieceKey(piece)]: { ...held, isAsking: true } }))
        void read(piece, held)
      }
      return { ...held, onMore: canReadOn ? onMore : null }
    },
    turn: (piece) => {
      const key = pieceKey(piece)
      if (open[key] !== undefined) {
        const { [key]: _closed, ...others } = open
        return setOpen(others)
      }
      setOpen({ ...open, [key]: EMPTY })
      void read(piece, EMPTY)
    }
  }
}
