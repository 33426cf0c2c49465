// Owns colouring code, away from the critical path: shiki comes as a chunk of its own on first use, a code
// is coloured in slices of a few milliseconds, and results are kept for the next time it is on screen.
// Colours are the roles of tokens.css, so one result serves both themes.
import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core'
import type { GrammarState, HighlighterCore, ThemedToken } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { loadLanguage } from './languages'

/** Text of one colour; null is the colour of the text around it. */
export interface CodeSpan {
  readonly text: string
  readonly color: string | null
}

/** Half a frame: what is left is for the rest of the page. */
const SLICE_MS = 8
const SLICE_LINES = 40
/** A line beyond this is data, not code: it stays plain. */
const MAX_LINE_CHARS = 2_000
/** Past it the rest of a line takes the colour of what came before: only for a line that would never end. */
const MAX_LINE_MS = 5_000

const THEME = createCssVariablesTheme({ name: 'roles', variablePrefix: '--shiki-', fontStyle: false })
const ROLES: Readonly<Record<string, string | null>> = {
  'var(--shiki-foreground)': null,
  'var(--shiki-token-constant)': 'var(--code-constant)',
  'var(--shiki-token-string)': 'var(--code-string)',
  'var(--shiki-token-comment)': 'var(--code-comment)',
  'var(--shiki-token-keyword)': 'var(--code-keyword)',
  'var(--shiki-token-parameter)': null,
  'var(--shiki-token-function)': 'var(--code-function)',
  'var(--shiki-token-string-expression)': 'var(--code-string)',
  'var(--shiki-token-punctuation)': null,
  'var(--shiki-token-link)': 'var(--code-type)',
  'var(--shiki-token-inserted)': 'var(--ok)',
  'var(--shiki-token-deleted)': 'var(--danger)',
  'var(--shiki-token-changed)': 'var(--warn)'
}

let core: Promise<HighlighterCore> | null = null
const loading = new Map<string, Promise<void>>()

/** Colours a code. `language` is one that languageOf named. Yields to the page between slices. */
export async function colourCode(code: string, language: string): Promise<readonly CodeSpan[]> {
  const highlighter = await highlighterFor(language)
  const lines = code.split('\n')
  const spans: CodeSpan[] = []
  let state: GrammarState | undefined
  let sliceStart = performance.now()
  for (let line = 0; line < lines.length; line += SLICE_LINES) {
    const slice = lines.slice(line, line + SLICE_LINES).join('\n')
    const tokens = highlighter.codeToTokensBase(slice, {
      lang: language,
      theme: 'roles',
      tokenizeMaxLineLength: MAX_LINE_CHARS,
      tokenizeTimeLimit: MAX_LINE_MS,
      ...(state === undefined ? {} : { grammarState: state })
    })
    state = highlighter.getLastGrammarState(tokens)
    if (line > 0) push(spans, '\n', null)
    tokens.forEach((lineTokens, index) => {
      if (index > 0) push(spans, '\n', null)
      for (const token of lineTokens) push(spans, token.content, roleOf(token))
    })
    if (performance.now() - sliceStart > SLICE_MS) {
      await nextTask()
      sliceStart = performance.now()
    }
  }
  return spans
}

async function highlighterFor(language: string): Promise<HighlighterCore> {
  // A grammar that uses what this browser's regular expressions lack loses that rule, not the colours.
  core ??= createHighlighterCore({
    themes: [THEME],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true })
  })
  const highlighter = await core
  const known = loading.get(language) ?? loadLanguage(language).then((grammar) => highlighter.loadLanguage(...grammar))
  loading.set(language, known)
  await known
  return highlighter
}

function roleOf(token: ThemedToken): string | null {
  return token.color === undefined ? null : (ROLES[token.color] ?? null)
}

/** Neighbours of one colour become one span: a third of the elements. */
function push(spans: CodeSpan[], text: string, color: string | null): void {
  const last = spans.at(-1)
  if (last !== undefined && (last.color === color || text.trim() === ''))
    spans[spans.length - 1] = { text: last.text + text, color: last.color }
  else spans.push({ text, color })
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
}
