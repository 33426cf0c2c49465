// Owns the assistant row that streams now: takes a provider's stream parts in, gives events out.
// Events carry copies, since the row goes on changing before they are told.
// A part never changes again once its step has closed: what was made of it is found again by it (convert-rows).
import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import type { SessionEvent } from '@common/contract/events'
import { toolPartsOf } from '@common/rows/row-schema'
import type { NewRow, ReasoningPart, RowMetadata, RowPart, StepPart, TextPart, ToolPart } from '@common/rows/row-schema'

type StreamingPart = TextPart | ReasoningPart

export class LiveRow {
  readonly row: NewRow
  /** Parts that are still growing, by their type and the provider's id for them. */
  #open = new Map<string, { part: StreamingPart; index: number }>()

  constructor(id: string, metadata: RowMetadata) {
    this.row = { id, role: 'assistant', parts: [], metadata }
  }

  started(): SessionEvent {
    return {
      type: 'live-started',
      row: { ...this.row, parts: [...this.row.parts], metadata: { ...this.row.metadata } }
    }
  }

  /** Calls of this row that have no result yet. */
  get unsettledCalls(): ToolPart[] {
    return toolPartsOf(this.row).filter((part) => part.state === 'input-available')
  }

  /** Takes one stream part; parts that say nothing about the row give no event. */
  apply(part: LanguageModelV3StreamPart, nowMs: number): SessionEvent[] {
    switch (part.type) {
      case 'text-start':
        return this.#start(part.id, { type: 'text', text: '' }, part.providerMetadata)
      case 'reasoning-start':
        return this.#start(part.id, { type: 'reasoning', text: '' }, part.providerMetadata)
      case 'text-delta':
        return this.#grow('text-delta', part.id, part.delta, part.providerMetadata)
      case 'reasoning-delta':
        return this.#grow('reasoning-delta', part.id, part.delta, part.providerMetadata)
      case 'text-end':
      case 'reasoning-end':
        return this.#end(part.type === 'text-end' ? 'text' : 'reasoning', part.id, part.providerMetadata)
      case 'tool-call':
        return this.add({
          type: 'dynamic-tool',
          toolCallId: this.#ownId(part.toolCallId),
          toolName: part.toolName,
          state: 'input-available',
          input: parseInput(part.input),
          startedAtMs: nowMs,
          ...(part.providerExecuted === true ? { providerExecuted: true } : {}),
          ...metadataField(part.providerMetadata)
        })
      case 'tool-result':
        return this.settle(part.toolCallId, {
          state: part.isError === true ? 'output-error' : 'output-available',
          output: part.result,
          ...(part.isError === true ? { errorText: JSON.stringify(part.result) } : {})
        })
      case 'source':
        // Kept as it came: a part that this version does not draw, never sent back.
        return this.add({ ...part, type: 'source' })
      default:
        return []
    }
  }

  /** Adds a part at the end of the row. */
  add(part: RowPart): SessionEvent[] {
    this.row.parts.push(part)
    return [this.#set(this.row.parts.length - 1)]
  }

  /** Gives a call its outcome. An unknown or settled call is left alone: exactly one outcome each. */
  settle(toolCallId: string, outcome: Partial<ToolPart> & Pick<ToolPart, 'state'>): SessionEvent[] {
    const call = this.unsettledCalls.find((part) => part.toolCallId === toolCallId)
    if (call === undefined) return []
    const index = this.row.parts.indexOf(call)
    this.row.parts[index] = { ...call, ...outcome }
    return [
      this.#set(index),
      { type: 'tool-settled', rowId: this.row.id, toolCallId, toolName: call.toolName, state: outcome.state }
    ]
  }

  /** Some servers number the calls of each answer from zero: results, approvals and live output go by the id. */
  #ownId(toolCallId: string): string {
    const taken = new Set(toolPartsOf(this.row).map((part) => part.toolCallId))
    let id = toolCallId
    for (let use = 2; taken.has(id); use++) id = `${toolCallId}#${use}`
    return id
  }

  /** Closes the step with its figures. */
  closeStep(step: StepPart): SessionEvent[] {
    this.#open.clear()
    return this.add(step)
  }

  #start(id: string, part: StreamingPart, metadata: SharedV3ProviderMetadata | undefined): SessionEvent[] {
    Object.assign(part, metadataField(metadata))
    const events = this.add(part)
    this.#open.set(openKey(part.type, id), { part, index: this.row.parts.length - 1 })
    return events
  }

  #grow(
    type: 'text-delta' | 'reasoning-delta',
    id: string,
    text: string,
    metadata: SharedV3ProviderMetadata | undefined
  ): SessionEvent[] {
    const partType = type === 'text-delta' ? 'text' : 'reasoning'
    const open = this.#open.get(openKey(partType, id))
    // A delta whose start was lost on the way opens its part: text that was said is never dropped.
    if (open === undefined) {
      const started = this.#start(id, { type: partType, text: '' }, metadata)
      return text === '' ? started : [...started, ...this.#grow(type, id, text, metadata)]
    }
    open.part.text += text
    mergeMetadata(open.part, metadata)
    return text === '' ? [] : [{ type, rowId: this.row.id, partIndex: open.index, text }]
  }

  #end(type: StreamingPart['type'], id: string, metadata: SharedV3ProviderMetadata | undefined): SessionEvent[] {
    const open = this.#open.get(openKey(type, id))
    if (open !== undefined) mergeMetadata(open.part, metadata)
    this.#open.delete(openKey(type, id))
    return []
  }

  #set(index: number): SessionEvent {
    const part = this.row.parts[index]
    if (part === undefined) throw new Error(`no part ${index} in row ${this.row.id}`)
    return { type: 'part-set', rowId: this.row.id, partIndex: index, part: { ...part } }
  }
}

function openKey(type: StreamingPart['type'], id: string): string {
  return `${type} ${id}`
}

/** A call's input as JSON, or as the text that the model wrote where that does not parse. */
function parseInput(input: string): unknown {
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return input
    throw error
  }
}

function metadataField(metadata: SharedV3ProviderMetadata | undefined): {
  providerMetadata?: SharedV3ProviderMetadata
} {
  return metadata === undefined ? {} : { providerMetadata: metadata }
}

/** Signatures and item ids come in several pieces; a later one wins, but a null takes nothing away. */
function mergeMetadata(part: StreamingPart, metadata: SharedV3ProviderMetadata | undefined): void {
  if (metadata === undefined) return
  const merged = { ...part.providerMetadata }
  for (const [provider, fields] of Object.entries(metadata)) {
    const said = Object.entries(fields ?? {}).filter(([, value]) => value !== null && value !== undefined)
    merged[provider] = { ...merged[provider], ...Object.fromEntries(said) }
  }
  part.providerMetadata = merged
}
