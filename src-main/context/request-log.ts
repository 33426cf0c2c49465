// Owns requests.jsonl: an envelope for each request that goes to a provider, and later how it ended (V-1).
// Only ever appended to, by the owner of turn.lock alone. A line that cannot be written stops no turn and is told once.
// An envelope is one write before the request goes out. It is not synced: a killed process loses nothing that it wrote,
// and a power cut costs at most the newest lines, of requests whose rows may be lost as well; waiting for the disk
// would cost every step. A torn line is closed with a newline before the next one.
import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import type { Clock } from '@common/clock'
import { PRIVATE_FILE_MODE, type WorkspacePaths } from '../files/app-paths'
import { type FileError, fileErrorOf } from '../files/file-error'
import { type FileSystem, nodeFileSystem, OPEN_APPEND_OR_CREATE } from '../files/file-system'
import { openIfThere } from '../files/open-if-there'
import { writeAll } from '../files/write-all'
import { parseJsonLine } from '../history/parse-line'
import { NEWLINE } from '../history/read-lines'
import { readLinesBackward } from '../history/read-lines-backward'
import { canonicalJson } from './canonical-json'
import { digestPrompt, digestText } from './canonical-request'
import type { PreparedRequest } from './prepare-request'
import { envelopeOf, type LastEnvelope, type SentRequest } from './request-log-envelope'
import { type RequestEnd, type RequestEnvelope, readRequestLogLine, type ToolDigest } from './request-log-lines'
import { hasPart, readPart, storePart } from './request-parts'

export type RequestEnding = Pick<RequestEnd, 'outcome' | 'usage' | 'finishReason' | 'failure'>

export interface RequestLogOptions {
  readonly paths: Pick<WorkspacePaths, 'requests' | 'requestParts'>
  readonly clock: Clock
  /** Strikes the keys of providers out of a text. */
  redact(text: string): string
  readonly fs?: FileSystem
}

interface ToolPart {
  readonly text: string
  readonly digest: ToolDigest
}

/** The envelope written last, while nobody else wrote behind it. */
interface Written extends LastEnvelope {
  /** Of the file with it and all that was written since. */
  size: number
}

export class RequestLog {
  readonly #paths: RequestLogOptions['paths']
  readonly #clock: Clock
  readonly #redact: (text: string) => string
  readonly #fs: FileSystem
  #last: Written | null = null
  /** Each tool as it is stored. */
  readonly #toolParts = new WeakMap<LanguageModelV3FunctionTool, ToolPart>()
  /** Hashes of the parts that were found whole or stored. */
  readonly #kept = new Set<string>()
  /** The request that is under way. */
  #open: number | null = null
  #isFailureTold = false

  constructor({ paths, clock, redact, fs = nodeFileSystem }: RequestLogOptions) {
    this.#paths = paths
    this.#clock = clock
    this.#redact = redact
    this.#fs = fs
  }

  /**
   * Stores what the request shares with others, the tools' schemas, before its first attempt. The system text was
   * stored when its window was frozen. What cannot be stored is missing when the request is built again, and said then.
   */
  async keepParts({ tools }: Pick<PreparedRequest, 'tools'>): Promise<void> {
    for (const tool of tools) {
      const { text, digest } = this.#toolPart(tool)
      const dir = this.#paths.requestParts
      if (this.#kept.has(digest.sha256) && hasPart(dir, digest.sha256)) continue
      const isThere = (await readPart(dir, digest.sha256)) !== null
      if (isThere || (await storePart(dir, text, { durable: false })) !== null) this.#kept.add(digest.sha256)
    }
  }

  /** Writes the envelope of a request that goes out now. Answers a sentence for the person at the first failure. */
  attempt(sent: SentRequest): string | null {
    this.#open = sent.requestSequence
    const { prompt, tools } = sent.request
    const digest = { ...digestPrompt(prompt), tools: tools.map((tool) => this.#toolPart(tool).digest) }
    const told = { digest, windowId: sent.windowId }
    return this.#append((before) => envelopeOf(sent, digest, { before, nowMs: this.#clock.now() }), told)
  }

  /** Writes how the request under way ended, once; answers as `attempt` does. */
  settled(requestSequence: number, ending: RequestEnding): string | null {
    if (this.#open !== requestSequence) return null
    this.#open = null
    return this.#append(() => ({ requestSequence, type: 'request-end', atMs: this.#clock.now(), ...ending }), null)
  }

  /** The highest request sequence that the file names; 0 without one. What a crash kept from workspace.json is here. */
  lastRequestSequence(): number {
    try {
      const descriptor = openIfThere(this.#fs, this.#paths.requests)
      if (descriptor === null) return 0
      try {
        return newestSequenceIn(this.#fs, descriptor)
      } finally {
        this.#fs.close(descriptor)
      }
    } catch (cause) {
      fileErrorOf(cause, 'read the log of requests', this.#paths.requests)
      return 0
    }
  }

  #toolPart(tool: LanguageModelV3FunctionTool): ToolPart {
    const known = this.#toolParts.get(tool)
    if (known !== undefined) return known
    const text = this.#redact(canonicalJson(tool))
    const part = { text, digest: { name: tool.name, ...digestText(text) } }
    this.#toolParts.set(tool, part)
    return part
  }

  #append(
    lineAfter: (last: Written | null) => RequestEnvelope | RequestEnd,
    told: Pick<LastEnvelope, 'digest' | 'windowId'> | null
  ): string | null {
    try {
      const descriptor = this.#fs.open(this.#paths.requests, OPEN_APPEND_OR_CREATE, PRIVATE_FILE_MODE)
      try {
        const { size, mode } = this.#fs.fstat(descriptor)
        if (mode !== PRIVATE_FILE_MODE) this.#fs.setMode(descriptor, PRIVATE_FILE_MODE)
        // Another process wrote, or somebody changed the file: then the next envelope says everything.
        if (this.#last?.size !== size) this.#last = null
        const line = lineAfter(this.#last)
        const bytes = Buffer.from(`${this.#isEnded(descriptor, size) ? '' : '\n'}${JSON.stringify(line)}\n`)
        writeAll(this.#fs, descriptor, bytes)
        if (told !== null) this.#last = { ...told, requestSequence: line.requestSequence, size: size + bytes.length }
        else if (this.#last !== null) this.#last.size = size + bytes.length
        return null
      } finally {
        this.#fs.close(descriptor)
      }
    } catch (cause) {
      this.#last = null
      return this.#told(fileErrorOf(cause, 'write the log of requests', this.#paths.requests))
    }
  }

  /** True for a file whose last line has its newline. */
  #isEnded(descriptor: number, size: number): boolean {
    if (size === 0 || this.#last !== null) return true
    const last = Buffer.alloc(1)
    this.#fs.read(descriptor, last, 0, 1, size - 1)
    return last[0] === NEWLINE
  }

  #told({ message }: FileError): string | null {
    if (this.#isFailureTold) return null
    this.#isFailureTold = true
    return `${message} Answers go on; what was sent meanwhile cannot be verified later.`
  }
}

function newestSequenceIn(fs: FileSystem, descriptor: number): number {
  for (const line of readLinesBackward(fs, descriptor, fs.fstat(descriptor).size)) {
    if (line.kind === 'oversized') continue
    const read = readRequestLogLine(parseJsonLine(line.bytes.toString('utf8')))
    if (read.kind === 'request') return read.envelope.requestSequence
    if (read.kind === 'end') return read.end.requestSequence
  }
  return 0
}
