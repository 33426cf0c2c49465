// Owns what a fake main says of requests that were sent: a conversation of two windows, as the real one would tell it.
import type {
  InspectedContent,
  InspectedPage,
  InspectedPart,
  InspectedPiece,
  InspectedRequest,
  LedgerLine,
  LedgerView
} from '@common/contract/inspector-views'
import { STORY_NOW_MS } from './session-builders'

export interface FakeInspector {
  /** Oldest first. */
  requests: InspectedRequest[]
  contents: Partial<InspectedContent>
  ledger: LedgerView
  damagedLines: number
}

const MODEL = 'anthropic:claude-sonnet-4-5'

export function fakeRequest(requestSequence: number, changes: Partial<InspectedRequest> = {}): InspectedRequest {
  const cached = requestSequence === 1 ? 0 : 14_000 + requestSequence * 900
  return {
    requestSequence,
    kind: 'turn',
    attempt: 0,
    model: MODEL,
    windowId: 'w:0',
    atMs: STORY_NOW_MS - 3_600_000 + requestSequence * 40_000,
    outcome: 'answered',
    failure: null,
    messages: requestSequence * 2 - 1,
    usage: { fresh: 1_204, cached, written: 890, output: 412 },
    hitShare: cached / (cached + 2_094),
    prefix: requestSequence === 1 ? null : { stableBytes: 58_000, totalBytes: 61_300 },
    brokenBy: null,
    costUsd: 0.0131,
    ...changes
  }
}

/** Six requests over two windows; the fifth begins the second, the fourth failed. */
export function fakeRequests(): InspectedRequest[] {
  return [
    fakeRequest(1),
    fakeRequest(2),
    fakeRequest(3, {
      attempt: 0,
      outcome: 'failed',
      failure: 'overloaded',
      usage: null,
      hitShare: null,
      costUsd: null
    }),
    fakeRequest(4, { attempt: 1 }),
    fakeRequest(5, {
      windowId: 'w:9',
      messages: 1,
      hitShare: 0,
      usage: { fresh: 9_120, cached: 0, written: 8_800, output: 233 },
      prefix: { stableBytes: 12_400, totalBytes: 18_900 },
      brokenBy: 'A fresh window began. The system text is the first that changed.'
    }),
    fakeRequest(6, { windowId: 'w:9', messages: 3 })
  ]
}

function line(costUsd: number, requests: number): LedgerLine {
  return {
    requests,
    fresh: requests * 1_204,
    cached: requests * 14_900,
    written: requests * 890,
    output: requests * 412,
    costUsd,
    unpriced: 0
  }
}

const NONE: LedgerLine = { requests: 0, fresh: 0, cached: 0, written: 0, output: 0, costUsd: 0, unpriced: 0 }

export function fakeLedger(): LedgerView {
  return {
    windows: [
      {
        windowId: 'w:0',
        number: 1,
        ...line(0.27, 3),
        models: [{ model: MODEL, ...line(0.27, 3) }],
        sections: { system: 5_100, tools: 22_300, messages: 6_482, toolResults: 17_100 }
      },
      {
        windowId: 'w:9',
        number: 2,
        ...line(0.11, 2),
        models: [
          { model: MODEL, ...line(0.08, 1) },
          { model: 'openai:gpt-5', ...line(0.03, 1) }
        ],
        sections: null
      }
    ],
    older: null,
    cut: line(0.03, 1),
    copied: NONE,
    total: line(0.41, 6),
    workspaceUsd: 0.41
  }
}

export function fakeInspector(changes: Partial<FakeInspector> = {}): FakeInspector {
  return { requests: fakeRequests(), contents: {}, ledger: fakeLedger(), damagedLines: 0, ...changes }
}

export function fakeRequestPage(
  { requests, damagedLines }: FakeInspector,
  windowId: string | null,
  before: number | null,
  limit: number
): InspectedPage {
  const fitting = requests.filter((each) => windowId === null || each.windowId === windowId)
  const older = fitting.filter(({ requestSequence }) => before === null || requestSequence < before)
  const page = older.slice(-limit).toReversed()
  const next = older.length > limit ? (page.at(-1)?.requestSequence ?? null) : null
  return { requests: page, before: next, total: fitting.length, damagedLines }
}

/** Null for a request that is not there. */
export function fakeContent({ requests, contents }: FakeInspector, requestSequence: number): InspectedContent | null {
  const at = requests.findIndex((each) => each.requestSequence === requestSequence)
  const request = requests[at]
  if (request === undefined) return null
  const previous = requests[at - 1] ?? null
  const messages = Array.from({ length: request.messages }, (_, index) => fakeMessage(index, request.messages))
  return {
    request,
    previousSequence: previous?.requestSequence ?? null,
    proof: { kind: 'identical' },
    sections: { system: 612, memories: 240, notes: 96, tools: 3_184, messages: 1_420, toolResults: 10_830, files: 0 },
    estimated: true,
    opening: [
      fakePiece(
        { part: 'system', index: 0 },
        { label: 'system', tokens: 612, preview: 'You are a coding agent in a desktop app.' }
      ),
      fakePiece(
        { part: 'memories', index: 0 },
        { label: 'memories', tokens: 240, preview: 'Memories, as they were when this conversation window began' }
      ),
      fakePiece({ part: 'notes', index: 0 }, { label: 'notes', tokens: 96, preview: '- retries: inner loop stays' }),
      fakePiece(
        { part: 'tool', index: 0 },
        { label: 'bash', tokens: 410, preview: '{ "description": "Runs a command" }' }
      ),
      fakePiece(
        { part: 'tool', index: 1 },
        { label: 'file_read', tokens: 380, preview: '{ "description": "Reads a file" }' }
      )
    ],
    messages,
    nextMessage: null,
    leftOut: request.windowId === 'w:0' ? [] : LEFT_OUT,
    difference:
      previous === null
        ? null
        : {
            shared: request.brokenBy === null ? Math.max(0, request.messages - 2) : 0,
            added: request.brokenBy === null ? 2 : request.messages,
            removed: request.brokenBy === null ? 0 : previous.messages,
            first: request.brokenBy,
            diff: request.brokenBy === null ? '' : DIFF
          },
    ...contents
  }
}

const DIFF = [
  '@@ -1,3 +1,3 @@',
  ' You are a coding agent in a desktop app.',
  '-- Date when this conversation window began: 2026-01-04',
  '+- Date when this conversation window began: 2026-01-05',
  ' - Platform: linux'
].join('\n')

const LEFT_OUT: InspectedContent['leftOut'] = [
  {
    what: '1 earlier window',
    why: 'Only the newest window is sent; session_history finds what they hold.',
    rowId: null
  },
  { what: '1 rollover boundary', why: 'A mark in the history, not a message.', rowId: 'r9' },
  {
    what: '3 pieces of thinking',
    why: 'A provider takes back only thinking that it signed itself and that something followed.',
    rowId: null
  }
]

const ROLES = ['user', 'assistant', 'tool'] as const
const TEXTS: Record<(typeof ROLES)[number], string> = {
  user: 'The receipt is written twice when the app stops in the middle of an append. Find out why.',
  assistant: '(calls grep)\n{\n  "pattern": "writeReceipt"\n}',
  tool: '(result of grep)\nsrc/history/append-rows.ts:41: await writeReceipt(receipt)'
}

function roleAt(index: number): (typeof ROLES)[number] {
  return index === 0 ? 'user' : index % 2 === 1 ? 'assistant' : 'tool'
}

function fakeMessage(index: number, total: number): InspectedPiece {
  const role = roleAt(index)
  return fakePiece(
    { part: 'message', index },
    {
      label: role,
      rowId: `r${index + 1}`,
      rows: 1,
      tokens: 180 + index * 7,
      preview: TEXTS[role].replaceAll(/\s+/g, ' '),
      isNew: index >= total - 2
    }
  )
}

function fakePiece(at: InspectedPart, changes: Partial<InspectedPiece>): InspectedPiece {
  return { ...at, label: '', rowId: null, rows: 0, tokens: null, preview: '', isNew: false, ...changes }
}

/** What a piece says; the same for every request. */
export function fakePieceText({ part, index }: InspectedPart): string {
  if (part === 'message') return TEXTS[roleAt(index)]
  if (part === 'tool') return '{\n  "description": "Runs a command in the project folder."\n}'
  return part === 'system'
    ? 'You are a coding agent in a desktop app.\n\nSurroundings:\n- Platform: linux'
    : `The ${part} of this window.`
}
