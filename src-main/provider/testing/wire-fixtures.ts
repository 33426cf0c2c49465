// Owns the recorded provider streams in wire/ (see its README for source and licence): finds them, reads them, and cuts
// a recording of several answers into its answers. Data as recorded; nothing is mended here.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { WireProtocol } from './scripted-turn'

export interface WireFixture {
  /** `anthropic/anthropic-text` */
  readonly name: string
  readonly protocol: WireProtocol
  /** One list of `data:` payloads for each answer in the recording, in order. */
  readonly answers: readonly (readonly string[])[]
}

const SUFFIX = '.chunks.txt'

/** Where the recordings lie; the working folder of tests and scripts is the project. */
const FOLDER = join(process.cwd(), 'src-main/provider/testing/wire')

/** Names of all recordings, as `google/google-text`. */
export function wireFixtureNames(folder = FOLDER): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) =>
      readdirSync(join(folder, entry.name))
        .filter((file) => file.endsWith(SUFFIX))
        .map((file) => `${entry.name}/${file.slice(0, -SUFFIX.length)}`)
    )
    .toSorted()
}

export function readWireFixture(name: string, folder = FOLDER): WireFixture {
  const lines = readFileSync(join(folder, `${name}${SUFFIX}`), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return { name, protocol: protocolOf(name), answers: answersIn(lines) }
}

/** The payloads that parse, for tests that compare with what was recorded. */
export function payloadsOf(answer: readonly string[]): Readonly<Record<string, unknown>>[] {
  return answer.flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line)
      return typeof value === 'object' && value !== null ? [{ ...value }] : []
    } catch (error) {
      if (error instanceof SyntaxError) return []
      throw error
    }
  })
}

function protocolOf(name: string): WireProtocol {
  const folder = name.split('/')[0]
  if (folder === 'anthropic') return 'anthropic'
  if (folder === 'google') return 'google'
  return name.startsWith('openai/responses-') ? 'responses' : 'chat'
}

/** An answer ends with the provider's last event; Chat and Gemini recordings hold one answer each. */
function answersIn(lines: readonly string[]): string[][] {
  const answers: string[][] = [[]]
  for (const line of lines) {
    answers.at(-1)?.push(line)
    if (/^\{"type":"(?:message_stop|response\.(?:completed|incomplete|failed))"/.test(line)) answers.push([])
  }
  return answers.filter((answer) => answer.length > 0)
}
