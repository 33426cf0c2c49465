// A static React page: some rows of text, and a word to main once they are painted.
import { createRoot } from 'react-dom/client'
import { afterPaint } from './after-paint'
import { bare } from './bare-bridge'

const ROWS = Array.from({ length: 20 }, (_, index) => `Row ${index}: a sentence of an ordinary answer.`)

const root = document.getElementById('root')
if (root === null) throw new Error('static.html has no #root')
createRoot(root).render(
  <main>
    {ROWS.map((row) => (
      <p key={row}>{row}</p>
    ))}
  </main>
)
const wait = (): void => {
  if (document.querySelector('p') === null) requestAnimationFrame(wait)
  else void afterPaint().then(() => bare().painted())
}
wait()
