// A conversation about the files of a real project, for tests: tools are really called, rows are kept as a history
// would keep them, and each message brings its company along.
import type { ToolRule } from '@common/agents/agent-schema'
import { rowKindOf } from '@common/rows/row-kinds'
import { isKnownPart, type NewRow, type Row, type RowPart } from '@common/rows/row-schema'
import { executeTool } from '../../agents/execute-tool'
import { openAttachments } from '../../history/attachments'
import { SeenFiles } from '../../tools/seen-files'
import { tempProject, type TempProject } from '../../tools/testing/temp-project'
import { createToolRegistry } from '../../tools/tool-registry'
import { companyOf, type CompanySources } from '../input-company'

export interface Sent {
  /** Text of the notice, or null. */
  readonly notice: string | null
  /** Paths that the notice names, sorted. */
  readonly told: string[]
  readonly snapshots: readonly NewRow[]
}

const EVERY_TOOL: readonly ToolRule[] = [{ match: '.*', action: 'allow' }]

export class FileTalk {
  readonly project: TempProject = tempProject()
  rows: Row[] = []
  seenFiles = new SeenFiles()
  /** What the clock says; far enough ahead that nothing counts as just changed unless a test wants that. */
  aheadMs = 60_000
  #ids = 0
  readonly #tools = createToolRegistry()

  /** Calls tools side by side in one step; answers how each settled. */
  async step(...calls: readonly (readonly [name: string, input: object])[]): Promise<string[]> {
    const parts = await Promise.all(
      calls.map(async ([toolName, rawInput]): Promise<RowPart> => {
        const toolCallId = this.#newId()
        const { touched: _touched, ...settled } = await executeTool(
          { toolCallId, toolName, rawInput },
          {
            tools: this.#tools,
            rules: EVERY_TOOL,
            mode: 'auto',
            workspaceId: 'ws-1',
            grants: [],
            clock: { now: () => this.now(), sleep: () => Promise.resolve() },
            askApproval: () => Promise.resolve({ decision: 'once' }),
            run: { ...this.project.run(), seenFiles: this.seenFiles }
          }
        )
        return { type: 'dynamic-tool', toolCallId, toolName, ...settled }
      })
    )
    this.rows.push({ id: this.#newId(), role: 'assistant', parts, metadata: {} })
    return parts.map((part) => (isKnownPart(part) && part.type === 'dynamic-tool' ? part.state : 'unknown'))
  }

  read(path: string, lines: object = {}): Promise<string[]> {
    return this.step(['file_read', { path, ...lines }])
  }

  /** Company of a message, which is appended with it unless `isRefused`. */
  async send(text: string, isRefused = false): Promise<Sent> {
    const input: NewRow = { id: this.#newId(), role: 'user', parts: [{ type: 'text', text }], metadata: {} }
    const company = await companyOf(input, this.sources())
    // As it comes back from the disk.
    if (!isRefused) this.rows.push(...(JSON.parse(JSON.stringify([...company, input])) as Row[]))
    const notices = company.filter((row) => rowKindOf(row) === 'file-change-notice')
    return {
      notice: notices[0] === undefined ? null : textOf(notices[0]),
      told: notices.flatMap(pathsOf).toSorted(),
      snapshots: company.filter((row) => rowKindOf(row) === 'prelude')
    }
  }

  sources(): CompanySources {
    return {
      windowRows: this.rows,
      projectRoot: this.project.root,
      seenFiles: this.seenFiles,
      attachments: openAttachments(`${this.project.home}/attachments`),
      skills: [],
      newId: () => this.#newId(),
      now: () => this.now()
    }
  }

  now(): number {
    return Date.now() + this.aheadMs
  }

  /** As the app begins after a restart: what is in memory is gone. */
  restart(): void {
    this.seenFiles = new SeenFiles()
  }

  #newId(): string {
    return `id-${++this.#ids}`
  }
}

export function textOf(row: NewRow): string {
  return row.parts.flatMap((part) => (isKnownPart(part) && part.type === 'text' ? [part.text] : [])).join('\n')
}

function pathsOf({ metadata }: NewRow): string[] {
  const files = metadata.machine?.['files']
  return Array.isArray(files) ? files.map(({ path }: { path: string }) => path) : []
}
