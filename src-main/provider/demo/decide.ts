// Owns the demo's decision: a request in, its next move out. Pure and deterministic; keeps nothing between
// requests, so it behaves the same after a restart, a retry or a rollover.
import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { planTurn } from './plans'
import { readConversation } from './read-conversation'
import { recognise } from './recognise'
import { type DemoMove, replay } from './replay'
import { quoteOf } from './wording'

export function decide(options: Pick<LanguageModelV3CallOptions, 'prompt' | 'tools' | 'toolChoice'>): DemoMove {
  const conversation = readConversation(options.prompt)
  const offered = offeredTools(options)
  if (conversation.task === '') {
    return { think: '', text: 'There is nothing to go on with yet. Ask me something about this project.', calls: [] }
  }
  const intents = recognise(conversation.task)
  const move = replay(
    planTurn(intents, { conversation, offered, light: conversation.resumed }),
    conversation.settled,
    offered
  )
  if (move.calls.length > 0 || conversation.answered === null) return move
  // "Continue" after an answer that was given whole: there is nothing left to do.
  return conversation.answered.includes(move.text.slice(-80))
    ? {
        think: '',
        text: `There is nothing left to do for ${quoteOf(conversation.task, 120)}. Ask me something else.`,
        calls: []
      }
    : move
}

function offeredTools({
  tools = [],
  toolChoice
}: Pick<LanguageModelV3CallOptions, 'tools' | 'toolChoice'>): ReadonlySet<string> {
  if (toolChoice?.type === 'none') return new Set()
  const names = tools.flatMap((tool) => (tool.type === 'function' ? [tool.name] : []))
  return new Set(toolChoice?.type === 'tool' ? names.filter((name) => name === toolChoice.toolName) : names)
}
