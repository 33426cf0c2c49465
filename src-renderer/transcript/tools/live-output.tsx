// Owns the output of a tool that runs: its tail, following the end until the person scrolls up in it.
import { useLayoutEffect, useMemo, useRef } from 'react'
import { MAX_LIVE_OUTPUT_CHARS } from '@common/constants'
import { terminalText } from '../../ui/terminal-text'
import { CommandText, DetailBody, MachineText } from './tool-parts'

export interface LiveOutputProps {
  readonly command: string | null
  readonly output: string
}

/** Lines of the tail on screen: laying out more of them costs a frame and nobody reads them as they run. */
const LIVE_LINES = 200
/** Closer to the end than this counts as following it. */
const END_SLACK_PX = 24

export function LiveOutput({ command, output }: LiveOutputProps) {
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const tail = useMemo(() => tailOf(output), [output])
  useLayoutEffect(() => {
    const element = box.current
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight
  }, [tail])
  const onScroll = () => {
    const element = box.current
    if (element !== null)
      follows.current = element.scrollHeight - element.clientHeight - element.scrollTop <= END_SLACK_PX
  }
  return (
    <>
      {command !== null && (
        <DetailBody>
          <CommandText command={command} />
        </DetailBody>
      )}
      <div
        ref={box}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to take the keyboard
        tabIndex={0}
        role="region"
        aria-label="Output so far"
        onScroll={onScroll}
        className="h-40 overflow-auto overscroll-contain border-t border-line bg-sunken px-3 py-2 focus-visible:-outline-offset-2"
      >
        {tail === '' ? <p className="text-small text-quiet">No output yet.</p> : <MachineText>{tail}</MachineText>}
      </div>
    </>
  )
}

function tailOf(output: string): string {
  const text = terminalText(output.slice(-MAX_LIVE_OUTPUT_CHARS))
  let at = text.length
  for (let line = 0; line < LIVE_LINES && at > 0; line += 1) at = text.lastIndexOf('\n', at - 1)
  return at > 0 ? text.slice(at + 1) : text
}
