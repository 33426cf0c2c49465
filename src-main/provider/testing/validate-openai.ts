// Owns the rules that Chat Completions and Responses endpoints hold a request to, as far as a client can break them.
// Chat is held to what the chat templates of local servers ask for: one user turn after the other.
import { fieldsOf, firstProblem, listOf, textOf, type Fields } from './request-shape'

const FUNCTION_NAME = /^[a-zA-Z0-9_-]{1,64}$/
const MAX_CALL_ID_CHARS = 64

/** What is wrong with a Chat Completions request, or null. */
export function chatProblemOf(body: Fields): string | null {
  const messages = listOf(body['messages'])
  const calls = messages.flatMap((message) => listOf(message['tool_calls']))
  return firstProblem([
    () => chatRoleProblem(messages),
    () => chatToolProblem(messages),
    () => functionProblem(calls.map((call) => ({ id: call['id'], name: fieldsOf(call['function'])['name'] })))
  ])
}

/** What is wrong with a Responses request, or null. `seals` are the encrypted contents handed out. */
export function responsesProblemOf(body: Fields, seals: ReadonlyMap<string, string>): string | null {
  const input = listOf(body['input'])
  const calls = input.filter((item) => item['type'] === 'function_call')
  return firstProblem([
    () => callProblem(input),
    () => reasoningProblem(input, body['store'] === false, seals),
    () => functionProblem(calls.map((call) => ({ id: call['call_id'], name: call['name'] })))
  ])
}

function chatRoleProblem(messages: readonly Fields[]): string | null {
  const talk = messages.filter((message) => !['system', 'developer', 'tool'].includes(textOf(message['role'])))
  if (talk.length === 0) return 'messages: at least one user message is required'
  if (talk[0]?.['role'] !== 'user') return 'Conversation must start with a user message'
  if (messages.at(-1)?.['role'] === 'assistant') return 'Cannot continue from a message of the assistant'
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1]?.['role']
    if (message['role'] === before && (before === 'user' || before === 'assistant'))
      return `messages[${index}]: conversation roles must alternate user/assistant`
  }
  return null
}

function chatToolProblem(messages: readonly Fields[]): string | null {
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      if (!open.delete(textOf(message['tool_call_id'])))
        return `messages[${index}]: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.`
      continue
    }
    if (open.size > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`
    const calls = listOf(message['tool_calls'])
    open = new Set(calls.map((call) => textOf(call['id'])))
    if (open.size < calls.length) return `messages[${index}].tool_calls: ids must be unique`
  }
  return open.size > 0 ? `tool_call_ids without response messages: ${[...open].join(', ')}` : null
}

function callProblem(input: readonly Fields[]): string | null {
  const idsOf = (type: string) => input.flatMap((item) => (item['type'] === type ? [textOf(item['call_id'])] : []))
  const [calls, outputs] = [idsOf('function_call'), idsOf('function_call_output')]
  const unanswered = calls.find((id) => !outputs.includes(id))
  if (unanswered !== undefined) return `No tool output found for function call ${unanswered}.`
  const unasked = outputs.find((id) => !calls.includes(id))
  if (unasked !== undefined) return `No tool call found for function call output with call_id ${unasked}.`
  return new Set(calls).size === calls.length ? null : 'Duplicate call_id in input.'
}

function functionProblem(calls: readonly { readonly id: unknown; readonly name: unknown }[]): string | null {
  for (const { id, name } of calls) {
    if (textOf(id).length > MAX_CALL_ID_CHARS)
      return `Invalid call id: string too long. Expected a string with maximum length ${MAX_CALL_ID_CHARS}.`
    if (name !== undefined && !FUNCTION_NAME.test(textOf(name)))
      return `Invalid name: “${textOf(name)}” does not match ${FUNCTION_NAME.source}.`
  }
  return null
}

function reasoningProblem(
  input: readonly Fields[],
  isStateless: boolean,
  seals: ReadonlyMap<string, string>
): string | null {
  for (const [index, item] of input.entries()) {
    if (item['type'] === 'item_reference' && isStateless)
      return `Item with id '${textOf(item['id'])}' not found. Items are not persisted when \`store\` is set to false.`
    if (item['type'] !== 'reasoning') continue
    if (isStateless && !seals.has(textOf(item['encrypted_content'])))
      return `input[${index}]: the encrypted content of a reasoning item could not be verified`
    const next = input[index + 1]
    if (next === undefined || next['type'] === 'function_call_output' || next['role'] === 'user')
      return `Item '${textOf(item['id'])}' of type 'reasoning' was provided without its required following item.`
  }
  return null
}
