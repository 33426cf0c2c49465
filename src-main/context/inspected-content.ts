// Owns how a request that was built again looks to a person (V-3): its sections with their tokens, its pieces, what was
// left out, and how it differs from the request before. Counts; reads no file.
import type { InspectedContent, InspectedPiece } from '@common/contract/inspector-views'
import { MAX_LEFT_OUT_ENTRIES } from '@common/constants'
import { countSections, type RequestSection } from './count-sections'
import { type CountingWith, measureRequest } from './count-request'
import { digestMessages } from './canonical-request'
import { differenceOf } from './inspected-difference'
import { pieceOf, systemTextOf, textOf } from './inspected-pieces'
import type { RebuiltRequest } from './rebuild-request'
import type { LookedAt } from './request-inspector'

interface PageBounds {
  readonly from: number
  readonly to: number
}

/** Everything but the figures of the list. */
export async function contentOf(
  { found, rebuilt, before }: LookedAt,
  { from, to }: PageBounds,
  using: CountingWith
): Promise<Omit<InspectedContent, 'request'>> {
  const { messages } = rebuilt
  const counted = await countsOf(rebuilt, using)
  const old = new Set(
    before === null ? [] : digestMessages(before.messages.map(({ message }) => message)).map(({ sha256 }) => sha256)
  )
  const page = messages.slice(from, to)
  const digests = digestMessages(page.map(({ message }) => message))
  return {
    previousSequence: found.previous?.envelope.requestSequence ?? null,
    proof: rebuilt.difference === null ? { kind: 'identical' } : { kind: 'differs', message: rebuilt.difference },
    sections: counted?.sections ?? null,
    estimated: counted?.estimated ?? false,
    opening: openingOf({ found, rebuilt, before }, counted),
    messages: page.map(({ message, rowIds }, offset) =>
      pieceOf({ part: 'message', index: from + offset }, textOf(message), {
        label: message.role,
        rowIds,
        tokens: counted?.tokensOf(message) ?? null,
        isNew: before !== null && !old.has(digests[offset]?.sha256 ?? '')
      })
    ),
    nextMessage: to < messages.length ? to : null,
    leftOut: rebuilt.leftOut.slice(0, MAX_LEFT_OUT_ENTRIES),
    difference: before === null || found.previous === null ? null : differenceOf(found, rebuilt, before)
  }
}

interface Counts {
  readonly sections: Readonly<Record<RequestSection, number>>
  readonly estimated: boolean
  readonly tools: readonly number[]
  readonly tokensOf: (message: RebuiltRequest['messages'][number]['message']) => number
}

/** Null where a tokenizer fails: what was sent is shown all the same. */
async function countsOf(rebuilt: RebuiltRequest, using: CountingWith): Promise<Counts | null> {
  const { memories, notes, tools, messages } = rebuilt
  const systemText = systemTextOf(rebuilt) ?? ''
  const rows = messages.map(({ message }) => message)
  const prompt = [{ role: 'system' as const, content: systemText }, ...rows]
  const sections = await countSections({ prompt, tools: [] }, { memories, notes }, using)
  const measured = await measureRequest({ prompt: rows, tools: [] }, using)
  const schemas = await using.counter.countMany(
    tools.map(({ text }) => text ?? ''),
    using.encoding
  )
  if (!sections.ok || !measured.ok || !schemas.ok) return null
  const inTools = schemas.value.reduce((sum, tokens) => sum + tokens, 0)
  return {
    sections: { ...sections.value.sections, tools: inTools },
    estimated: sections.value.estimated,
    tools: schemas.value,
    tokensOf: (message) => measured.value.tokensOf(message)
  }
}

/** System text, memories, notes and tools; an empty memory is not listed. */
function openingOf({ found, rebuilt, before }: LookedAt, counted: Counts | null): InspectedPiece[] {
  const texts = (['system', 'memories', 'notes'] as const).flatMap((part) => {
    const text = rebuilt[part]
    if (text === null || text === '') return []
    const isNew = before !== null && before[part] !== text
    return [pieceOf({ part, index: 0 }, text, { label: part, tokens: counted?.sections[part] ?? null, isNew })]
  })
  const known = new Set(found.previous?.tools?.map(({ sha256 }) => sha256) ?? [])
  const tools = rebuilt.tools.map(({ name, text }, index) =>
    pieceOf({ part: 'tool', index }, text ?? '', {
      label: name,
      tokens: counted?.tools[index] ?? null,
      isNew: found.previous !== null && !known.has(found.logged.tools?.[index]?.sha256 ?? '')
    })
  )
  return [...texts, ...tools]
}
