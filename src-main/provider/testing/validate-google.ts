// Owns the rules that Gemini's generateContent holds a request to, as far as a client can break them.
// Texts follow the real API's where it is known.
import { fieldsOf, firstProblem, listOf, textOf, type Fields } from './request-shape'

/** What Google's documentation gives for calls that another model made. */
const SKIP_SIGNATURE = 'skip_thought_signature_validator'
const FUNCTION_NAME = /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/

/** What is wrong with the request, or null. `seals` are the thought signatures handed out. */
export function googleProblemOf(body: Fields, seals: ReadonlyMap<string, string>): string | null {
  const contents = listOf(body['contents'])
  return firstProblem([
    () => roleProblem(contents),
    () => partProblem(contents),
    () => callProblem(contents),
    () => signatureProblem(contents, seals)
  ])
}

function partsOf(content: Fields | undefined): Fields[] {
  return listOf(content?.['parts'])
}

function roleProblem(contents: readonly Fields[]): string | null {
  if (contents.length === 0) return 'GenerateContentRequest.contents: contents is not specified'
  if (contents[0]?.['role'] !== 'user') return 'Please ensure that multiturn requests start with a user role.'
  if (contents.at(-1)?.['role'] !== 'user')
    return 'Please ensure that multiturn requests end with a user role or a function response.'
  // A person may speak after the response of a function that no text followed.
  const at = contents.findIndex((content, index) => {
    const before = contents[index - 1]
    return content['role'] === before?.['role'] && !partsOf(before).some((part) => 'functionResponse' in part)
  })
  return at === -1 ? null : `contents[${at}]: multiturn requests must alternate between user and model`
}

function partProblem(contents: readonly Fields[]): string | null {
  for (const [index, content] of contents.entries()) {
    const parts = partsOf(content)
    if (parts.length === 0) return `contents[${index}].parts: contents.parts must not be empty.`
    const empty = parts.findIndex((part) => Object.keys(part).every((key) => key === 'thoughtSignature'))
    if (empty !== -1) return `contents[${index}].parts[${empty}].data: required oneof field 'data' must have one value`
  }
  return null
}

function callProblem(contents: readonly Fields[]): string | null {
  for (const [index, content] of contents.entries()) {
    const calls = partsOf(content).filter((part) => 'functionCall' in part)
    const responses = partsOf(contents[index + 1]).filter((part) => 'functionResponse' in part)
    if (content['role'] === 'model' && calls.length !== responses.length)
      return `contents[${index}]: the number of function response parts must equal the number of function call parts of the function call turn.`
    for (const call of calls.map((part) => fieldsOf(part['functionCall']))) {
      if (!FUNCTION_NAME.test(textOf(call['name'])))
        return `contents[${index}]: Invalid function name: ${textOf(call['name'])}`
      if (!isObject(call['args'])) return `contents[${index}]: functionCall.args must be an object`
    }
  }
  return null
}

function signatureProblem(contents: readonly Fields[], seals: ReadonlyMap<string, string>): string | null {
  for (const [index, content] of contents.entries())
    for (const part of partsOf(content)) {
      const signature = part['thoughtSignature']
      if (signature === undefined || signature === SKIP_SIGNATURE) continue
      if (!seals.has(textOf(signature))) return `contents[${index}]: Thought signature is not valid.`
    }
  return null
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
