// Owns what the next request of the window in force would hold now, by section (U-6). Sends, stores and freezes
// nothing: it may be asked at any time, also while a turn runs.
import { budgetModeOf } from '@common/budget/budget-mode'
import { outputReserveOf } from '@common/budget/budget-points'
import type { RequestFailure } from '@common/contract/bridge'
import type { ContextSections } from '@common/contract/context-views'
import { NOTES_PATH } from '@common/memory/notes-path'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import type { Row } from '@common/rows/row-schema'
import { advertisedTools, offeredTools } from '../context/advertised-tools'
import { countSections } from '../context/count-sections'
import { buildPrompt } from '../context/prepare-request'
import { partHotMemoryBlock } from '../memory/hot-memory-block'
import { agentAndModel } from './agent-and-model'
import { memoryUseOf } from './memory-use'
import type { OpenedSession, SessionDeps } from './session-deps'
import { failureOf } from './session-edits'
import { presentSystem } from './window-system'

/** `live`: the answer that streams now, which the history does not hold yet. */
export async function contextSections(
  deps: SessionDeps,
  opened: OpenedSession,
  live: Row | null
): Promise<Result<ContextSections, RequestFailure>> {
  const works = await agentAndModel(deps, opened)
  if (!works.ok) return err({ kind: 'refused', message: works.error.message })
  const { agent, model } = works.value
  const window = await opened.history.activeWindow()
  if (!window.ok) return err(failureOf(window.error))
  const { encoding, contextLimit, maxOutputTokens } = model.info
  const mode = budgetModeOf({ settings: deps.settings(), modelRef: model.ref, experiments: undefined })
  const memoryUse = memoryUseOf(deps.settings(), agent.rules, mode)
  const system = await presentSystem(deps, opened, {
    agentId: agent.id,
    prompt: agent.systemPrompt,
    encoding,
    memoryUse
  })
  const { rows, windowId } = window.value
  const shown = live === null ? rows : [...rows, live]
  const prompt = await buildPrompt(shown, {
    modelRef: model.ref,
    systemText: system.text,
    loadAttachment: (part) => opened.attachments.read(part)
  })
  const request = { prompt, tools: advertisedTools(offeredTools(deps.tools.all, agent.rules), shown) }
  const { others, own } = partHotMemoryBlock(system.memories, NOTES_PATH)
  const extras = { memories: others, notes: own }
  const counted = await countSections(request, extras, { encoding, counter: deps.counter })
  if (!counted.ok) return err({ kind: 'io', message: counted.error.message })
  const outputReserve = contextLimit === null ? null : outputReserveOf(contextLimit, maxOutputTokens)
  return ok({ windowId, model: model.ref, ...counted.value, outputReserve })
}
