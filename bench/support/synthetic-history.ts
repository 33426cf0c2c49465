// Owns histories for benchmarks: rows of the sizes that real sessions have, written as windows directly.
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { NewRow } from '../../src-common/rows/row-schema'

const WORDS = 'the window file row append scan budget cursor const return await error path test value of in to'.split(
  ' '
)

/** A row of about the median size (2.2 KB); every hundredth is above 50 KB. */
export function syntheticRow(index: number, historySequence?: number): NewRow {
  const bytes = index % 100 === 99 ? 55_000 : 800 + ((index * 7_919) % 2_600)
  const metadata = {
    timestamp: 1_790_000_000_000 + index,
    model: 'anthropic:some-model',
    ...(historySequence === undefined ? {} : { historySequence })
  }
  if (index % 2 === 0)
    return { id: `row-${index}`, role: 'user', parts: [{ type: 'text', text: textOf(index, bytes) }], metadata }
  const call = {
    type: 'dynamic-tool' as const,
    toolCallId: `call-${index}`,
    toolName: 'bash',
    state: 'output-available' as const,
    input: { command: `grep -n ${textOf(index, 60)}` },
    output: { exitCode: 0, output: textOf(index + 1, bytes) }
  }
  return { id: `row-${index}`, role: 'assistant', parts: [{ type: 'text', text: textOf(index, 300) }, call], metadata }
}

/** Text of words and lines with what JSON escapes. */
function textOf(seed: number, bytes: number): string {
  let text = ''
  for (let word = seed; text.length < bytes; word += 7)
    text += `${WORDS[word % WORDS.length]}${word % 11 === 0 ? '\n\t"x"' : ' '}`
  return text
}

export interface SyntheticHistory {
  readonly rows: number
  readonly bytes: number
  readonly windows: readonly string[]
}

/** Writes windows of `windowBytes` until `totalBytes`, then a last one of `lastWindowBytes`. */
export function writeSyntheticHistory(
  workspaceDir: string,
  { totalBytes, windowBytes, lastWindowBytes }: { totalBytes: number; windowBytes: number; lastWindowBytes: number }
): SyntheticHistory {
  const folder = join(workspaceDir, 'windows')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const windows: string[] = []
  let sequence = 0
  let bytes = 0
  const writeWindow = (limit: number): void => {
    const path = join(folder, `w-${windows.length === 0 ? 0 : sequence + 1}.jsonl`)
    const descriptor = openSync(path, 'w', 0o600)
    let written = 0
    if (windows.length > 0) {
      sequence++
      const boundary = {
        id: `boundary-${sequence}`,
        role: 'user',
        parts: [],
        metadata: { contextBoundaryKind: 'reset', historySequence: sequence }
      }
      written += writeSync(descriptor, `${JSON.stringify(boundary)}\n`)
    }
    while (written < limit) {
      const lines: string[] = []
      for (let size = 0; size < Math.min(1_000_000, limit - written);) {
        sequence++
        const line = JSON.stringify(syntheticRow(sequence, sequence))
        lines.push(line)
        size += line.length + 1
      }
      written += writeSync(descriptor, `${lines.join('\n')}\n`)
    }
    fsyncSync(descriptor)
    closeSync(descriptor)
    windows.push(path)
    bytes += written
  }
  const sealedBytes = totalBytes - lastWindowBytes
  for (let left = sealedBytes; left > 0; left = sealedBytes - bytes) writeWindow(Math.min(windowBytes, left))
  if (lastWindowBytes > 0) writeWindow(lastWindowBytes)
  return { rows: sequence, bytes, windows }
}
