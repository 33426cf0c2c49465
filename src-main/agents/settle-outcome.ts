// Owns turning a tool's outcome into what a row stores: its state, and input, output and error text under their caps.
import type { KnownGrant } from '@common/agents/workspace-grant'
import type { SpillReference } from '@common/rows/row-schema'
import type { SeenFile } from '@common/rows/seen-file'
import { capOutput, capText } from '../tools/cap-output'
import type { Sighting } from '../tools/sighting'
import type { SpillStore, ToolOutcome } from '../tools/tool-types'

/** What goes into the tool part of the row. */
export interface SettledTool {
  readonly state: 'output-available' | 'output-error' | 'output-denied' | 'interrupted'
  /** As the model wrote it, capped. */
  readonly input: unknown
  readonly output?: unknown
  /** In every state but `output-available`. */
  readonly errorText?: string
  readonly inputSpill?: SpillReference
  readonly outputSpill?: SpillReference
  /** The file whose content the model was given or wrote (O-4). */
  readonly seen?: SeenFile
  /** Deferred tools that this call activated (P-4). */
  readonly activates?: readonly string[]
  /** What the person allowed for the workspace; the session stores it. */
  readonly grant?: KnownGrant
  /** Paths of the project that the call went to, with forward slashes; not stored. None for one that did not run. */
  readonly touched: readonly string[]
  readonly durationMs: number
}

type Settled = Omit<SettledTool, 'grant' | 'durationMs' | 'seen' | 'touched'> & { readonly seen?: Sighting }

/** Caps everything; a spill that the tool itself kept is named when the cap made none. */
export async function settleOutcome(
  rawInput: unknown,
  outcome: ToolOutcome<unknown>,
  spill: Pick<SpillStore, 'write'>,
  capBytes: number
): Promise<Settled> {
  const input = await capOutput(rawInput, spill, capBytes)
  const kept = { input: input.kept, ...(input.spill === undefined ? {} : { inputSpill: input.spill }) }
  if (outcome.kind === 'done') {
    const output = await capOutput(outcome.output, spill, capBytes)
    return {
      state: 'output-available',
      ...kept,
      output: output.kept,
      ...spillOf(output.spill ?? outcome.spill),
      ...(outcome.seen === undefined ? {} : { seen: outcome.seen }),
      ...(outcome.activates === undefined ? {} : { activates: [...outcome.activates] })
    }
  }
  const text = await capText(outcome.message, spill, capBytes)
  const own = 'spill' in outcome ? outcome.spill : undefined
  return { state: STATES[outcome.kind], ...kept, errorText: text.kept, ...spillOf(text.spill ?? own) }
}

const STATES = { failed: 'output-error', denied: 'output-denied', interrupted: 'interrupted' } as const

function spillOf(outputSpill: SpillReference | undefined): { outputSpill?: SpillReference } {
  return outputSpill === undefined ? {} : { outputSpill }
}
