// Owns what the person typed and has not sent, for each workspace. A store of its own: a keystroke wakes
// the composer and nothing else.
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AttachmentReference } from '@common/contract/views'
import type { RowCut } from './row-cut'

/** A file on its way into the workspace, or there already. */
export interface DraftAttachment {
  readonly id: string
  readonly filename: string
  readonly mediaType: string
  readonly bytes: number
  /** An object URL of an image, for the chip; released when the chip goes. */
  readonly previewUrl: string | null
  readonly state:
    | { readonly kind: 'adding' }
    | { readonly kind: 'ready'; readonly reference: AttachmentReference }
    | { readonly kind: 'failed'; readonly message: string }
}

/** A message of the history whose text stands in the composer to be sent again in its place. */
export interface RowEditing {
  readonly rowId: string
  readonly cut: RowCut
  /** What stood in the composer before; it comes back afterwards. */
  readonly before: Pick<Draft, 'text' | 'attachments'>
}

interface SavedDraft {
  readonly text: string
  /** Hashes of the attachments, in order. */
  readonly hashes: string
}

export interface Draft {
  readonly text: string
  readonly attachments: readonly DraftAttachment[]
  /** What main holds already. */
  readonly saved: SavedDraft
  /** A send is on its way; a second one must not start. */
  readonly sending: boolean
  readonly editing: RowEditing | null
  /** What the person is being asked before it is sent, because it cuts rows; null when nothing is. */
  readonly question: string | null
}

export type DraftState = Readonly<Record<string, Draft>>
export type DraftStore = StoreApi<DraftState>

export const EMPTY_DRAFT: Draft = {
  text: '',
  attachments: [],
  saved: { text: '', hashes: '' },
  sending: false,
  editing: null,
  question: null
}

export function createDraftStore(): DraftStore {
  return createStore<DraftState>(() => ({}))
}

/** The draft of a workspace; an empty one when nothing was typed. */
export function draftOf(state: DraftState, workspaceId: string): Draft {
  return state[workspaceId] ?? EMPTY_DRAFT
}

/** Changes one draft. */
export function changeDraft(store: DraftStore, workspaceId: string, to: (draft: Draft) => Draft): void {
  store.setState((state) => {
    const draft = draftOf(state, workspaceId)
    const next = to(draft)
    return next === draft ? state : { ...state, [workspaceId]: next }
  })
}

/** True when there is something to send and nothing of it is unfinished. */
export function isSendable(draft: Draft): boolean {
  if (draft.sending || draft.attachments.some((each) => each.state.kind !== 'ready')) return false
  return draft.text.trim() !== '' || draft.attachments.length > 0
}

/** The attachments that main holds. */
export function referencesOf(draft: Draft): AttachmentReference[] {
  return draft.attachments.flatMap((each) => (each.state.kind === 'ready' ? [each.state.reference] : []))
}

/** What a save would give main. */
export function savedOf(draft: Draft): SavedDraft {
  const hashes = referencesOf(draft).map((reference) => reference.sha256)
  return { text: draft.text, hashes: hashes.join(' ') }
}

/** A draft as main kept it. */
export function draftFrom(text: string, references: readonly AttachmentReference[]): Draft {
  const draft = { ...EMPTY_DRAFT, text, attachments: attachmentsFrom(references) }
  return { ...draft, saved: savedOf(draft) }
}

/** Chips for files that main holds. */
export function attachmentsFrom(references: readonly AttachmentReference[]): DraftAttachment[] {
  return references.map((reference, index) => {
    const { filename, mediaType, bytes, sha256 } = reference
    const id = `${index}-${sha256}`
    return { id, filename, mediaType, bytes, previewUrl: null, state: { kind: 'ready', reference } }
  })
}

/** The draft without the edit: what stood there before it began. */
export function withoutEditing(draft: Draft): Draft {
  return draft.editing === null
    ? draft
    : { ...draft, ...draft.editing.before, editing: null, question: null, sending: false }
}

/** The draft after what was sent is durable; text typed meanwhile stays. */
export function withoutSent(draft: Draft, sent: Draft): Draft {
  const rest = draft.text.startsWith(sent.text) ? draft.text.slice(sent.text.length) : draft.text
  return {
    ...draft,
    text: rest,
    sending: false,
    attachments: draft.attachments.filter((each) => !sent.attachments.some((gone) => gone.id === each.id))
  }
}
