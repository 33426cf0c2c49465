// Owns what a plan of the demo asks for and gets back: calls of tools and their results, read from the prompt.
// Results come from anywhere (another app version, a stub), so nothing about their shape is taken on trust.

export interface DemoCall {
  readonly toolName: string
  readonly input: Readonly<Record<string, unknown>>
}

export type DemoResult =
  | { readonly kind: 'done'; readonly value: unknown }
  /** Failed or denied, in the app's words. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The tool is not offered in this request. */
  | { readonly kind: 'absent' }

/** One move of a plan: what it thinks and says, and the calls that it makes together. */
export interface DemoStep {
  readonly think: string
  /** Said before the calls; empty to say nothing. */
  readonly say: string
  readonly calls: readonly DemoCall[]
}

/** Yields steps, gets the results of their calls in order, returns the answer. Same results, same steps. */
export type DemoPlan = Generator<DemoStep, string, readonly DemoResult[]>

/** A step of one call, and its result. */
export function* callOne(
  call: DemoCall,
  words: { think: string; say?: string }
): Generator<DemoStep, DemoResult, readonly DemoResult[]> {
  const results = yield { think: words.think, say: words.say ?? '', calls: [call] }
  return results[0] ?? { kind: 'absent' }
}

/** Why a result is not there, as a clause: "the bash tool failed: …". */
export function whyNot(result: DemoResult, toolName: string): string {
  switch (result.kind) {
    case 'absent':
      return `the ${toolName} tool is not offered to me here`
    case 'failed':
      return /\b(?:denied|not allowed|refused|rejected)\b/i.test(result.message)
        ? `${toolName} was denied: ${firstLine(result.message)}`
        : `${toolName} failed: ${firstLine(result.message)}`
    case 'done':
      return `${toolName} gave a result that I cannot read`
  }
}

function firstLine(message: string): string {
  const line = message.trim().split('\n')[0] ?? ''
  return line.length > 300 ? `${line.slice(0, 300)}…` : line || 'without a reason'
}
