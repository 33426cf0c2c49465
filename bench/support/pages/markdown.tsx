// A growing answer, drawn by one of three: the whole app over an in-memory main, Streamdown alone, react-markdown
// alone. `?variant=` chooses; the benchmark calls `grow` with a number of deltas, one a frame.
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import ReactMarkdown from 'react-markdown'
import { defaultRemarkPlugins, Streamdown } from 'streamdown'
import { z } from 'zod'
import { AppRoot } from '../../../src-renderer/app'
import { connectApp } from '../../../src-renderer/store/actions/start-app'
import { AppProvider } from '../../../src-renderer/store/app-context'
import { createApp } from '../../../src-renderer/store/app-store'
import { createFakeBridge } from '../../../src-renderer/testing/fake-bridge'
import { dailyWorld } from '../../../src-renderer/testing/fake-world'
import { mixedRows } from '../../../src-renderer/testing/mixed-rows'
import { rowOf } from '../../../src-renderer/testing/session-builders'
import { ANSWER, EVERYTHING } from '../../../src-renderer/testing/sample-texts'
import { afterPaint } from './after-paint'
import './bench.css'

export interface MarkdownPage {
  /** Begins a new answer of so many characters. */
  begin(chars: number): Promise<void>
  /** Adds deltas of so many characters, one a frame, until `upTo` characters stand there; returns how many. */
  grow(upTo: number, deltaChars: number): Promise<number>
  /** True when the end of the answer stands on the page. */
  isEndShown(): boolean
}

interface Drawing {
  start(): Promise<void>
  draw(text: string, delta: string): void
}

z.config({ jitless: true })
const element = document.getElementById('root')
if (element === null) throw new Error('markdown.html has no #root')
const root: Root = createRoot(element)

/** Tables and task lists, as the other two draw them. */
const GFM = [defaultRemarkPlugins['gfm']].filter((plugin) => plugin !== undefined)

const END = '\n\nThat was the last word.'

function answerOf(chars: number): string {
  let text = ''
  for (let part = 1; text.length < chars; part += 1)
    text += `## Part ${part}\n\n${part % 2 === 1 ? ANSWER : EVERYTHING}\n\n`
  return text.slice(0, chars - END.length) + END
}

/** The product from an event on: batch, store, rows, transcript. */
function productDrawing(): Drawing {
  const bridge = createFakeBridge({ ...dailyWorld(), sessions: { 'ws-1': { rows: mixedRows(60) } } })
  const app = createApp(bridge, { sidebarShown: false, panelShown: false, sheet: null })
  connectApp(app, { onCommand: () => undefined, reloadedWorkspaceId: null })
  root.render(
    <AppProvider app={app}>
      <AppRoot />
    </AppProvider>
  )
  const session = bridge.sessionOf('ws-1')
  let answers = 0
  const id = (): string => `answer-${answers}`
  return {
    async start() {
      while (app.store.getState().sessions['ws-1']?.loaded !== true) await afterPaint()
      answers += 1
      const status = { phase: 'streaming' as const, turnStartedAtMs: Date.now(), retry: null, lastProblem: null }
      session.emit({ type: 'status-changed', status })
      session.emit({ type: 'live-started', row: rowOf(id(), 'assistant', [{ type: 'text', text: '' }]) })
    },
    draw: (_text, delta) => session.emit({ type: 'text-delta', rowId: id(), partIndex: 0, text: delta })
  }
}

/** A component alone in a box that stays at its end: what grows out of sight would never be painted. */
function aloneDrawing(component: (text: string) => ReactNode): Drawing {
  const stick = (content: HTMLElement): (() => void) => {
    const box = content.parentElement
    const observer = new ResizeObserver(() => {
      if (box !== null) box.scrollTop = box.scrollHeight
    })
    observer.observe(content)
    return () => observer.disconnect()
  }
  const followed = (content: HTMLDivElement | null) => (content === null ? undefined : stick(content))
  const show = (text: string): void =>
    root.render(
      <div style={{ height: '100%', overflow: 'auto' }}>
        <div ref={followed}>{component(text)}</div>
      </div>
    )
  return { start: async () => show(''), draw: show }
}

const DRAWINGS: Readonly<Record<string, () => Drawing>> = {
  app: productDrawing,
  streamdown: () => aloneDrawing((text) => <Streamdown>{text}</Streamdown>),
  'react-markdown': () => aloneDrawing((text) => <ReactMarkdown remarkPlugins={GFM}>{text}</ReactMarkdown>)
}

const variant = new URLSearchParams(location.search).get('variant') ?? 'app'
const drawing = DRAWINGS[variant]?.()
if (drawing === undefined) throw new Error(`no variant ${variant}`)
let [answer, shown] = ['', 0]
const page: MarkdownPage = {
  async begin(chars) {
    ;[answer, shown] = [answerOf(chars), 0]
    await drawing.start()
    await afterPaint()
  },
  async grow(upTo, deltaChars) {
    let deltas = 0
    for (; shown < upTo; deltas += 1) {
      const delta = answer.slice(shown, Math.min(upTo, shown + deltaChars))
      shown += delta.length
      drawing.draw(answer.slice(0, shown), delta)
      await afterPaint()
    }
    return deltas
  },
  isEndShown: () => (element.textContent ?? '').includes(END.trim())
}
Object.assign(globalThis, { bench: page })
