// Owns the rules that Anthropic's Messages endpoint holds a request to, as far as a client can break them.
// Texts follow the real API's where it is known. Stricter in one point: roles must alternate, which this API forgives
// and others do not (L-4).
import { fieldsOf, firstProblem, listOf, textOf, type Fields } from './request-shape'

const MAX_CACHE_MARKS = 4
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const TOOL_USE_ID = /^[a-zA-Z0-9_-]+$/

/** What is wrong with the request, or null. `seals` are the signatures handed out and the thinking of each. */
export function anthropicProblemOf(body: Fields, seals: ReadonlyMap<string, string>): string | null {
  const messages = listOf(body['messages'])
  return firstProblem([
    () => limitProblem(body),
    () => roleProblem(messages),
    () => emptyTextProblem(messages),
    () => toolPairProblem(messages),
    () => thinkingProblem(messages, seals),
    () => cacheProblem(body, messages),
    () => toolNameProblem(listOf(body['tools'])),
    () => lastBlockProblem(messages),
    () => toolUseProblem(messages)
  ])
}

function contentOf(message: Fields | undefined): Fields[] {
  const content = message?.['content']
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
}

function limitProblem(body: Fields): string | null {
  const maxTokens = body['max_tokens']
  if (typeof maxTokens !== 'number' || maxTokens < 1) return 'max_tokens: must be greater than or equal to 1'
  const budget = fieldsOf(body['thinking'])['budget_tokens']
  if (typeof budget !== 'number') return null
  if (budget < 1_024) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'
  return budget >= maxTokens ? '`max_tokens` must be greater than `thinking.budget_tokens`' : null
}

function roleProblem(messages: readonly Fields[]): string | null {
  if (messages.length === 0) return 'messages: at least one message is required'
  if (messages[0]?.['role'] !== 'user') return 'messages: first message must use the "user" role'
  if (messages.at(-1)?.['role'] !== 'user') return 'The conversation must end with a user message.'
  for (const [index, message] of messages.entries()) {
    if (message['role'] !== 'user' && message['role'] !== 'assistant') return `messages.${index}.role: unexpected role`
    if (index > 0 && message['role'] === messages[index - 1]?.['role'])
      return `messages.${index}: roles must alternate between "user" and "assistant"`
  }
  return null
}

function emptyTextProblem(messages: readonly Fields[]): string | null {
  for (const [index, message] of messages.entries()) {
    const content = contentOf(message)
    if (content.length === 0) return `messages.${index}: all messages must have non-empty content`
    if (content.some((block) => block['type'] === 'text' && textOf(block['text']) === ''))
      return 'messages: text content blocks must be non-empty'
  }
  return null
}

function toolPairProblem(messages: readonly Fields[]): string | null {
  const seen = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const uses = contentOf(message).filter((block) => block['type'] === 'tool_use')
    const results = contentOf(message).filter((block) => block['type'] === 'tool_result')
    const asked = contentOf(messages[index - 1]).flatMap((block) => (block['type'] === 'tool_use' ? [block['id']] : []))
    for (const result of results)
      if (!asked.includes(result['tool_use_id']))
        return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${textOf(result['tool_use_id'])}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
    if (results.length > 0 && contentOf(message)[0]?.['type'] !== 'tool_result')
      return `messages.${index}: \`tool_result\` blocks must come first`
    for (const use of uses) {
      const id = textOf(use['id'])
      if (seen.has(id)) return `messages.${index}: \`tool_use\` ids must be unique: ${id}`
      seen.add(id)
      const answered = contentOf(messages[index + 1]).filter(
        (block) => block['type'] === 'tool_result' && block['tool_use_id'] === id
      )
      if (answered.length !== 1)
        return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}.`
      if (typeof use['input'] !== 'object' || use['input'] === null || Array.isArray(use['input']))
        return `messages.${index}: tool_use.input: Input should be a valid dictionary`
    }
  }
  return null
}

function thinkingProblem(messages: readonly Fields[], seals: ReadonlyMap<string, string>): string | null {
  for (const [index, message] of messages.entries())
    for (const block of contentOf(message)) {
      if (block['type'] !== 'thinking') continue
      const sealed = seals.get(textOf(block['signature']))
      if (sealed === undefined) return `messages.${index}: Invalid \`signature\` in \`thinking\` block`
      if (sealed !== block['thinking'])
        return `messages.${index}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified.`
    }
  return null
}

function lastBlockProblem(messages: readonly Fields[]): string | null {
  const at = messages.findIndex((message) => textOf(contentOf(message).at(-1)?.['type']).endsWith('thinking'))
  return at === -1 ? null : `messages.${at}: The final block in an assistant message cannot be \`thinking\`.`
}

function toolUseProblem(messages: readonly Fields[]): string | null {
  const uses = messages.flatMap(contentOf).filter((block) => block['type'] === 'tool_use')
  if (uses.some((use) => !TOOL_USE_ID.test(textOf(use['id']))))
    return `tool_use.id: String should match pattern '${TOOL_USE_ID.source}'`
  return uses.some((use) => !TOOL_NAME.test(textOf(use['name'])))
    ? `tool_use.name: String should match pattern '${TOOL_NAME.source}'`
    : null
}

function cacheProblem(body: Fields, messages: readonly Fields[]): string | null {
  const blocks = [
    ...listOf(body['system']),
    ...listOf(body['tools']),
    ...messages.flatMap(contentOf),
    ...messages.flatMap(contentOf).flatMap((block) => listOf(block['content']))
  ]
  const marked = blocks.filter((block) => 'cache_control' in block && block['cache_control'] !== null)
  if (marked.length > MAX_CACHE_MARKS)
    return `A maximum of ${MAX_CACHE_MARKS} blocks with cache_control may be provided. Found ${marked.length}.`
  const wrong = marked.find((block) => block['type'] === 'thinking' || block['type'] === 'redacted_thinking')
  return wrong === undefined ? null : 'thinking.cache_control: Extra inputs are not permitted'
}

function toolNameProblem(tools: readonly Fields[]): string | null {
  const names = tools.map((tool) => textOf(tool['name']))
  const wrong = names.find((name) => !TOOL_NAME.test(name))
  if (wrong !== undefined) return `tools: name "${wrong}" should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
  return new Set(names).size === names.length ? null : 'tools: Tool names must be unique.'
}
