// Owns the requests about what was sent to providers (V-3) and what it cost. Each open session has one inspector.
import type { RequestFailure } from '@common/contract/bridge'
import type { LedgerView } from '@common/contract/inspector-views'
import { MAX_LEDGER_WINDOWS } from '@common/constants'
import type { ModelInfo } from '@common/models/model-info'
import { err, ok, type Result } from '@common/result'
import { RequestInspector } from '../context/request-inspector'
import { divideBySection, type SectionBytes } from '../context/section-bytes'
import type { TokenCounter } from '../context/token-counter'
import { addSums, type LedgerSums, NO_SUMS } from '../costs/ledger-sums'
import { type Ledger, WindowLedger } from '../costs/window-ledger'
import { workspacePathsOf } from '../files/app-paths'
import { fileErrorOf } from '../files/file-error'
import type { FileSystem } from '../files/file-system'
import type { AgentSession } from '../session/agent-session'
import type { AppServices } from './app-services'
import type { Handlers } from './dispatch'
import { sessionOf } from './workspace-handlers'

export interface InspectorDeps {
  readonly fs: FileSystem
  readonly counter: TokenCounter
  modelInfo(modelRef: string): ModelInfo | null
}

type InspectorRequests =
  | 'inspector.requests'
  | 'inspector.request'
  | 'inspector.text'
  | 'inspector.find'
  | 'inspector.ledger'

interface Inspecting {
  readonly session: AgentSession
  readonly requests: RequestInspector
  readonly ledger: WindowLedger
}

export function inspectorHandlers(services: AppServices, deps: InspectorDeps): Pick<Handlers, InspectorRequests> {
  const open = new WeakMap<AgentSession, Inspecting>()

  async function inspecting(workspaceId: string): Promise<Result<Inspecting, RequestFailure>> {
    const session = await sessionOf(services, workspaceId)
    if (!session.ok) return session
    const known = open.get(session.value) ?? inspectingOf(session.value)
    open.set(session.value, known)
    return ok(known)
  }
  function inspectingOf(session: AgentSession): Inspecting {
    const files = { fs: deps.fs, paths: workspacePathsOf(session.folder), log: services.log, isDurable: true }
    const { counter, modelInfo } = deps
    return {
      session,
      requests: new RequestInspector({ files, counter, modelInfo }),
      ledger: new WindowLedger(files, (modelRef) => modelInfo(modelRef)?.price ?? null)
    }
  }

  return {
    async 'inspector.requests'({ workspaceId, windowId, before, limit }) {
      const inspector = await inspecting(workspaceId)
      return inspector.ok ? inspector.value.requests.page(windowId, before, limit) : inspector
    },
    async 'inspector.request'({ workspaceId, requestSequence, fromMessage }) {
      const inspector = await inspecting(workspaceId)
      return inspector.ok ? inspector.value.requests.content(requestSequence, fromMessage) : inspector
    },
    async 'inspector.text'({ workspaceId, requestSequence, piece, offset }) {
      const inspector = await inspecting(workspaceId)
      return inspector.ok ? inspector.value.requests.text(requestSequence, piece, offset) : inspector
    },
    async 'inspector.find'({ workspaceId, requestSequence, query }) {
      const inspector = await inspecting(workspaceId)
      if (!inspector.ok) return inspector
      const pieces = await inspector.value.requests.find(requestSequence, query)
      return pieces.ok ? ok({ pieces: pieces.value }) : pieces
    },
    async 'inspector.ledger'({ workspaceId }) {
      const inspector = await inspecting(workspaceId)
      if (!inspector.ok) return inspector
      const { session, ledger, requests } = inspector.value
      const sections = await requests.inputBySection()
      if (!sections.ok) return sections
      try {
        const { copiedUpTo } = session.file
        return ok(viewOf(await ledger.read(copiedUpTo), sections.value, session.file.costUsd))
      } catch (cause) {
        return err({ kind: 'io', message: fileErrorOf(cause, 'read what the windows cost', session.folder).message })
      }
    }
  }
}

function viewOf(
  { windows, cut, copied }: Ledger,
  sections: ReadonlyMap<string, SectionBytes>,
  workspaceUsd: number
): LedgerView {
  const olderCount = Math.max(0, windows.length - MAX_LEDGER_WINDOWS)
  const older = windows.slice(0, olderCount)
  const sum = (of: typeof windows): typeof cut => of.reduce((total, { sums }) => addSums(total, sums), NO_SUMS)
  return {
    windows: windows.slice(olderCount).map(({ windowId, sums, models }, index) => ({
      windowId,
      number: olderCount + index + 1,
      ...sums,
      models: [...models].map(([model, of]) => ({ model, ...of })),
      sections: sectionsOf(sums, sections.get(windowId))
    })),
    older: olderCount === 0 ? null : { windows: olderCount, ...sum(older) },
    cut,
    copied,
    total: addSums(sum(windows), cut),
    workspaceUsd
  }
}

/** The log may know of requests that no row holds: their shares count, the sum is that of the rows. */
function sectionsOf(
  { fresh, cached, written }: LedgerSums,
  weights: SectionBytes | undefined
): LedgerView['windows'][number]['sections'] {
  return weights === undefined ? null : divideBySection(fresh + cached + written, weights)
}
