// Owns the input of `run`: a prompt from a flag, a file or standard input, and attached files.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { MAX_ATTACHMENT_BYTES, MAX_PASTED_TEXT_BYTES } from '@common/constants'
import type { AttachmentReference } from '@common/contract/views'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { fileErrorOf } from '../files/file-error'
import type { AgentSession } from '../session/agent-session'
import { callerPath } from './arguments'

export interface RunInput {
  readonly id: string
  readonly text: string
  readonly nowMs: number
  /** Keeps the attachments in the session's workspace. */
  store(session: AgentSession): Promise<Result<AttachmentReference[], string>>
}

interface InputFlags {
  readonly prompt?: string | undefined
  readonly 'prompt-file'?: string | undefined
  readonly attach?: string[] | undefined
}

type Wrong = { readonly reason: string; readonly message: string }
type Environment = Readonly<Record<string, string | undefined>>
interface Attached {
  readonly filename: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** What the providers take as pictures and documents; everything else is sent as text. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf'
}

/** Reads everything before anything is created, so that a wrong flag leaves no trace. */
export async function readInput(flags: InputFlags, environment: Environment): Promise<Result<RunInput, Wrong>> {
  const prompt = await readPrompt(flags, environment)
  if (!prompt.ok) return prompt
  const attached: Attached[] = []
  for (const file of flags.attach ?? []) {
    const read = await readAttachment(callerPath(file, environment))
    if (!read.ok) return read
    attached.push(read.value)
  }
  const bytes = Buffer.from(prompt.value)
  const long = bytes.length > MAX_PASTED_TEXT_BYTES
  if (long) attached.push({ filename: 'prompt.txt', mediaType: 'text/plain', bytes })
  if (prompt.value.trim() === '' && attached.length === 0)
    return err({ reason: 'prompt', message: 'the prompt is empty.' })
  return ok({
    id: randomUUID(),
    text: long ? 'The request is in the attached prompt.txt.' : prompt.value,
    nowMs: Date.now(),
    async store(session) {
      const references: AttachmentReference[] = []
      for (const { filename, mediaType, bytes: content } of attached) {
        const { sha256 } = await session.attachments.put(content, mediaType)
        references.push({ sha256, mediaType, filename, bytes: content.length })
      }
      return ok(references)
    }
  })
}

async function readPrompt(flags: InputFlags, environment: Environment): Promise<Result<string, Wrong>> {
  const file = flags['prompt-file']
  if ((flags.prompt === undefined) === (file === undefined)) {
    return err({
      reason: 'prompt',
      message: 'give the request with either --prompt TEXT or --prompt-file FILE (or - for standard input).'
    })
  }
  if (flags.prompt !== undefined) return ok(flags.prompt)
  if (file === '-') return ok(await readStandardInput())
  const read = await readBytes(callerPath(file ?? '', environment), 'prompt-file')
  return read.ok ? ok(read.value.toString('utf8')) : read
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks).toString('utf8')
}

async function readAttachment(path: string): Promise<Result<Attached, Wrong>> {
  const read = await readBytes(path, 'attach')
  if (!read.ok) return read
  if (read.value.length > MAX_ATTACHMENT_BYTES) {
    return err({
      reason: 'attach',
      message: `${path} is larger than ${MAX_ATTACHMENT_BYTES / 1_048_576} MiB; attach a smaller file.`
    })
  }
  const mediaType = MEDIA_TYPES[extname(path).toLowerCase()] ?? 'text/plain'
  if (mediaType === 'text/plain' && read.value.includes(0)) {
    return err({ reason: 'attach', message: `${path} is neither text, a picture nor a PDF, so it cannot be attached.` })
  }
  return ok({ filename: basename(path), mediaType, bytes: read.value })
}

async function readBytes(path: string, reason: string): Promise<Result<Buffer, Wrong>> {
  try {
    return ok(await readFile(path))
  } catch (cause) {
    return err({ reason, message: fileErrorOf(cause, 'read the file', path).message })
  }
}
