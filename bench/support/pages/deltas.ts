// One DOM update for each message: what happens without batches.
import { bare } from './bare-bridge'

interface Batch {
  readonly events: ReadonlyArray<{ readonly text: string }>
}

const element = document.getElementById('root')
if (element === null) throw new Error('deltas.html has no #root')
const paragraph = element.appendChild(document.createElement('p'))
bare().onMessage((message) => {
  for (const { text } of (message as Batch).events) paragraph.textContent = (paragraph.textContent ?? '') + text
})
Object.assign(globalThis, {
  bench: {
    clear: () => {
      paragraph.textContent = ''
    },
    chars: () => (paragraph.textContent ?? '').length
  }
})
