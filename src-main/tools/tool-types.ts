// Owns the shape of a tool: what the session hands it and what it gives back.
// A tool decides nothing about permission: it says what it touches, the gate (agents/) decides.
import type { Result } from '@common/result'
import type { ToolEffect } from '@common/tools/tool-contracts'
import type { ApprovalSubject } from '@common/tools/approval'
import type { SpillReference } from '@common/rows/row-schema'
import type { Settings } from '@common/settings/settings-schema'
import type { z } from 'zod'
import type { HistoryBrowser } from '../history-search/history-browser'
import type { MemoryStore } from '../memory/memory-store'
import type { SeenFiles } from './seen-files'
import type { Sighting } from './sighting'

export interface SpillStream {
  readonly path: string
  /** Where the store can name the file from the start, so that a growing log is read as `spill:<id>`. */
  readonly id?: string
  append(chunk: Uint8Array): void
  finish(): Promise<SpillReference>
}

/** Where whole results go that exceed the cap of a row (H-13). */
export interface SpillStore {
  /** Keeps `content` whole; the reference goes into the row. */
  write(content: string | Uint8Array, mediaType?: string): Promise<SpillReference>
  /** Opens a file that grows while a process runs; `finish` closes it. Errors surface at `finish`. */
  openStream(): SpillStream
  /** Absolute path of a spill of this workspace, or null when there is none by that id. */
  pathOf(id: string): string | null
}

/** What a tool may use while it runs one call. */
export interface ToolRun {
  readonly toolCallId: string
  readonly projectRoot: string
  /** Variables for child processes, already without the providers' keys (O-2). */
  readonly childEnv: Readonly<Record<string, string>>
  readonly abortSignal: AbortSignal
  readonly spill: SpillStore
  /** The workspace's memories, and what the person lets agents do with them now (Y-1). */
  readonly memory: { readonly access: Settings['memory']; readonly store: MemoryStore }
  /** What is remembered of files that the model saw (O-4). */
  readonly seenFiles: SeenFiles
  /** The conversation's own past, as far as an agent may see it. */
  readonly history: HistoryBrowser
  /** Resolved paths to which this very call may go although they are outside of the project or protected. */
  readonly allowedPaths: readonly string[]
  /** False for a path (from the project) that the agent's policy denies to this tool: a search passes it over. */
  mayRead(relativePath: string): boolean
  /** Live output for the screen; never stored. */
  onOutput(text: string): void
  /** Asks the person; null when nobody is there to answer or the turn was stopped. */
  ask(question: string, options: readonly string[]): Promise<string | null>
  /** Is told when the to-do list changed. */
  onTodo(items: readonly { content: string; status: 'pending' | 'in_progress' | 'completed' }[]): void
}

/**
 * `spill` names the whole where the tool itself kept it and cut its output (a long log); `seen` is the file whose
 * content the model was given or wrote.
 */
export type ToolOutcome<Output> =
  | {
      readonly kind: 'done'
      readonly output: Output
      readonly spill?: SpillReference
      readonly seen?: Sighting
      /** Deferred tools that are advertised in this window from now on. */
      readonly activates?: readonly string[]
    }
  | { readonly kind: 'failed'; readonly message: string; readonly spill?: SpillReference }
  | { readonly kind: 'denied'; readonly message: string }
  | { readonly kind: 'interrupted'; readonly message: string; readonly spill?: SpillReference }

/** What a call would touch, for the permission gate: decided before anything runs. */
export interface ToolTouch {
  readonly effect: ToolEffect
  /** Absolute, resolved paths (symlinks followed as far as they exist). */
  readonly paths: readonly string[]
  /** True when any of them lies outside the project after resolution. */
  readonly outside: boolean
  readonly command: string | null
  readonly subject: ApprovalSubject
}

export interface ToolDefinition<Input = unknown, Output = unknown> {
  readonly name: string
  readonly description: string
  /** Not advertised before a call in the window activated it; can be called all the same (P-4). */
  readonly isDeferred?: boolean
  readonly inputSchema: z.ZodType<Input>
  readonly outputSchema: z.ZodType<Output>
  /** Resolves paths and builds the preview; fails with words for the model. Changes nothing. */
  touch(input: Input, run: Pick<ToolRun, 'projectRoot' | 'spill'>): Promise<Result<ToolTouch, string>>
  execute(input: Input, run: ToolRun): Promise<ToolOutcome<Output>>
}
