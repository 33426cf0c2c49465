// For tests of the demo: a small real project in a folder of its own, and one turn on it through the AI SDK.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ModelMessage, stepCountIs, streamText } from 'ai'
import { onTestFinished } from 'vitest'
import { createDemoModel } from '../demo-model'
import { type SmallToolOptions, smallTools } from './small-tools'

const FILES: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "greeter",
  "version": "1.2.0",
  "description": "Greets people in several languages.",
  "type": "module",
  "scripts": { "test": "node check.js", "start": "node src/index.js" }
}
`,
  'README.md': '# greeter\n\nGreets people, politely.\n\n## Layout\n\n`src/greet.js` holds the greetings.\n',
  'check.js': "console.log('2 passed, 1 failed')\nprocess.exit(3)\n",
  'docs/notes.md': '# Notes\n',
  'src/greet.js': `// The greetings, by language.
const GREETINGS = { en: 'Hello', de: 'Hallo' }

/** English when the language is unknown. */
export function greet(name, language) {
  return \`\${GREETINGS[language] ?? GREETINGS.en}, \${name}\`
}
`,
  'src/index.js': `import { greet } from './greet.js'
// TODO: read the language from the environment
console.log(greet(process.argv[2] ?? 'world', 'en'))
`
}

/** Gone when the test is over. */
export function greeterProject(): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'tidemark-demo-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  return root
}

export interface DemoTurn {
  /** Everything said, steps joined by a line end. */
  readonly text: string
  readonly reasoning: string
  /** Tool names in the order of their calls. */
  readonly called: string[]
  /** Calls with their inputs. */
  readonly calls: string[]
  readonly memories: ReadonlyMap<string, string>
  readonly finishReason: string
  readonly messages: ModelMessage[]
  readonly inputTokens: number
}

/** One turn of the demo on real tools; `earlier` is the conversation before it. */
export async function demoTurn(
  root: string,
  prompt: string | ModelMessage[],
  options: SmallToolOptions & { earlier?: readonly ModelMessage[]; thinking?: string; system?: string } = {}
): Promise<DemoTurn> {
  const small = smallTools(root, options)
  const asked: ModelMessage[] = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt
  const messages = [...(options.earlier ?? []), ...asked]
  const result = streamText({
    model: createDemoModel({ paceMs: 0 }),
    messages,
    ...(options.system === undefined ? {} : { system: options.system }),
    tools: small.tools,
    maxRetries: 0,
    stopWhen: stepCountIs(40),
    providerOptions: { demo: { thinking: options.thinking ?? 'off' } },
    onError: ({ error }) => {
      throw error
    }
  })
  const [steps, response] = await Promise.all([result.steps, result.response])
  return {
    text: steps.map((step) => step.text).join('\n'),
    reasoning: steps.map((step) => step.reasoningText ?? '').join('\n'),
    called: small.calls.map((call) => call.split(' ')[0] ?? ''),
    calls: small.calls,
    memories: small.memories,
    finishReason: steps.at(-1)?.finishReason ?? 'none',
    messages: [...messages, ...response.messages],
    inputTokens: steps.at(-1)?.usage.inputTokens ?? 0
  }
}
