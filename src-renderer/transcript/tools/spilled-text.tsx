// Owns the whole of a value that was over its cap: fetched page by page, on demand.
import { useState } from 'react'
import type { SpillReference } from '@common/rows/row-schema'
import { Button } from '../../ui/button'
import { bytesText } from '../../ui/format'
import { ScrollBox } from '../../ui/scroll-box'
import { terminalText } from '../../ui/terminal-text'
import { useTranscriptActions } from '../transcript-actions'
import { MachineText } from './tool-parts'

interface Pages {
  readonly text: string
  /** Null once the end was read. */
  readonly nextOffset: number | null
  readonly error: string | null
  readonly loading: boolean
}

const NOTHING_READ: Pages = { text: '', nextOffset: 0, error: null, loading: false }

export interface SpilledTextProps {
  /** What was cut: `Input` or `Result`. */
  readonly label: string
  readonly spill: SpillReference
}

export function SpilledText({ label, spill }: SpilledTextProps) {
  const { onReadSpill } = useTranscriptActions()
  const [pages, setPages] = useState(NOTHING_READ)
  const read = async (offset: number) => {
    setPages((before) => ({ ...before, loading: true }))
    const answer = await onReadSpill(spill.id, offset)
    setPages((before) =>
      answer.ok
        ? { text: before.text + answer.value.text, nextOffset: answer.value.nextOffset, error: null, loading: false }
        : { ...before, error: answer.error.message, loading: false }
    )
  }
  const { text, nextOffset, error, loading } = pages
  return (
    <section className="border-t border-line">
      {text !== '' && (
        <ScrollBox label={`${label}, whole`} className="max-h-105 bg-sunken px-3 py-2">
          <MachineText>{terminalText(text)}</MachineText>
        </ScrollBox>
      )}
      <div className="flex flex-wrap items-center gap-2 px-3 py-1.5 text-micro text-quiet">
        <span className="min-w-0 flex-1">
          {text === '' ? `${label} shortened: head and tail of ${bytesText(spill.bytes)}.` : progressText(pages, spill)}
          {error !== null && <span className="text-danger"> {error}</span>}
        </span>
        {nextOffset !== null && (
          <Button small disabled={loading} onClick={() => read(nextOffset)}>
            {text === '' ? 'Show whole' : 'Show more'}
          </Button>
        )}
      </div>
    </section>
  )
}

function progressText({ nextOffset }: Pages, spill: SpillReference): string {
  return nextOffset === null
    ? `All ${bytesText(spill.bytes)}.`
    : `${bytesText(nextOffset)} of ${bytesText(spill.bytes)}.`
}
