// The output of a tool as one object through the bridge, and all of it in a box that scrolls.
import { afterPaint } from './after-paint'
import { bare } from './bare-bridge'
import './bench.css'

export interface OutputPage {
  /** Asks main for the object and shows it. Milliseconds until it is painted. */
  show(): Promise<number>
  clear(): Promise<void>
}

const element = document.getElementById('root')
if (element === null) throw new Error('output.html has no #root')
const box = element.appendChild(document.createElement('pre'))
box.className = 'max-h-105 overflow-auto bg-sunken px-3 py-2 font-mono whitespace-pre-wrap wrap-anywhere'

const page: OutputPage = {
  async show() {
    const start = performance.now()
    const answer = (await bare().invoke()) as { value: { output: { output: string } } }
    box.textContent = answer.value.output.output
    await afterPaint()
    return performance.now() - start
  },
  async clear() {
    box.textContent = ''
    await afterPaint()
  }
}
Object.assign(globalThis, { bench: page })
