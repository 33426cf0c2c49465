// Proves that a message that was not sent comes back whole (P-8): words and files, behind what is typed already.
import { expect, it } from 'vitest'
import { createApp } from '../app-store'
import { draftOf } from '../draft-state'
import { typeDraft } from './draft-actions'
import { createFakeBridge } from '../../testing/fake-bridge'
import { rowSource } from '../../testing/row-builders'
import { restoreInput } from './row-actions'
import { notSentOf } from '../../transcript/rows/not-sent-texts'

const file = { type: 'file', mediaType: 'image/png', url: `attachment:${'a'.repeat(64)}`, filename: 'a.png', bytes: 40 }

it('P-8 puts words and files of a rejected input behind the draft, and each file once', () => {
  const app = createApp(createFakeBridge(), { sidebarShown: true, panelShown: true, sheet: null })
  const { text, parts } = notSentOf(rowSource().notSent('x', { parts: [{ type: 'text', text: 'Too long.' }, file] }))
  typeDraft(app, 'ws-1', 'One more thing')
  restoreInput(app, 'ws-1', text, parts)
  restoreInput(app, 'ws-1', '', parts)
  const draft = draftOf(app.drafts.getState(), 'ws-1')
  expect(draft.text).toBe('One more thing\n\nToo long.')
  expect(draft.attachments).toMatchObject([
    { filename: 'a.png', state: { kind: 'ready', reference: { sha256: 'a'.repeat(64), bytes: 40 } } }
  ])
})
