// Owns the conversion of stored rows to the provider-neutral prompt: the only place that knows both shapes.
// Deterministic: the same rows give the same bytes, so that a prefix never changes under the model; and the same parts
// give the same message objects, so that a step pays for its own rows alone (F-7, F-11). Parts are values: those of a
// live row are, once their step has closed; before that it is not converted.
// What real endpoints refuse is settled here (L-4): an assistant first, empty texts, thoughts that lead nowhere,
// names and ids in other forms, half characters. A request that is refused once would be refused for ever.
import type { Row } from '@common/rows/row-schema'
import { rowKindOf } from '@common/rows/row-kinds'
import { answerMessages, type RowMessage } from './convert-answer'
import { inputMessages } from './convert-input'
import type { LoadAttachment } from './convert-input'
import { joinContinued } from './join-continued'
import { uniqueCallIds } from './unique-call-ids'
import { withStoredContext } from './stored-context'
import { ValueCache } from './value-cache'

export interface ConvertOptions {
  /** PROVIDER_ID:MODEL_ID that will read the prompt: another provider's thinking means nothing to it. */
  readonly modelRef: string
  readonly loadAttachment: LoadAttachment
  /** Sequence of a request that is built again; none for the next one. */
  readonly atRequest?: number
}

/** Sent first when history begins with an answer, which no endpoint takes. */
export const OPENING_TEXT = '(The conversation begins with an earlier answer.)'
const OPENING: RowMessage = { role: 'user', content: [{ type: 'text', text: OPENING_TEXT }] }

const merged = new ValueCache<RowMessage>()

/** A message, and the rows that it was made from. */
export interface SourcedMessage {
  readonly message: RowMessage
  /** A stored context counts as a row of its own (stored-context). */
  readonly rowIds: readonly string[]
}

/**
 * The messages of these rows, in order, neighbours of one role merged. Rows that the table does not send
 * must be left out by the caller (boundaries.rowsForProvider). Messages are shared between conversions: change none.
 */
export async function convertRows(rows: readonly Row[], options: ConvertOptions): Promise<RowMessage[]> {
  return (await convertRowsWithSources(rows, options)).map(({ message }) => message)
}

/** The same messages, each with the rows that it was made from. */
export async function convertRowsWithSources(rows: readonly Row[], options: ConvertOptions): Promise<SourcedMessage[]> {
  const made: MadeMessage[] = []
  const newCallId = uniqueCallIds()
  for (const row of withStoredContext(joinContinued(rows), options.atRequest)) {
    const isInput = row.role === 'user' || rowKindOf(row) === 'compaction-summary'
    const messages = isInput
      ? await inputMessages(row, options.loadAttachment)
      : answerMessages(row, options.modelRef, newCallId)
    for (const message of messages) made.push({ message, rowId: row.id })
  }
  const prompt = neighboursOf(made).map((group) => ({
    message: mergeMessages(group.map(({ message }) => message)),
    rowIds: [...new Set(group.map(({ rowId }) => rowId))]
  }))
  return prompt[0] === undefined || prompt[0].message.role === 'user'
    ? prompt
    : [{ message: OPENING, rowIds: [] }, ...prompt]
}

interface MadeMessage {
  readonly message: RowMessage
  readonly rowId: string
}

/** The messages in groups of neighbours of one role; no group is empty. */
function neighboursOf(messages: readonly MadeMessage[]): MadeMessage[][] {
  const groups: MadeMessage[][] = []
  for (const made of messages) {
    const group = groups.at(-1)
    if (group?.[0]?.message.role === made.message.role) group.push(made)
    else groups.push([made])
  }
  return groups
}

function mergeMessages(group: readonly RowMessage[]): RowMessage {
  const [first] = group
  if (first === undefined) throw new Error('a group has at least one message')
  if (group.length === 1) return first
  return merged.findOrMake(first, group, () => {
    const content = group.flatMap<RowMessage['content'][number]>((message) => message.content)
    // Each role's own content type: the roles are equal, which TypeScript cannot follow across several variables.
    return { ...first, content } as RowMessage
  })
}
