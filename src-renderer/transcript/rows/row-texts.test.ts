// What rows say about how they ended, and what a capsule holds.
import { describe, expect, it } from 'vitest'
import { ProviderFailureKind } from '@common/models/provider-failure'
import { rowSource, text } from '../../testing/row-builders'
import { dividerDetails, dividerFacts } from '../dividers/divider-texts'
import { notSentOf } from './not-sent-texts'
import { endingOf, problemText, rowText, summaryText } from './row-texts'

const source = rowSource()

describe('endingOf', () => {
  it('says nothing of an answer that ended by itself', () => {
    expect(endingOf(source.assistant([text('Done.')]))).toBeNull()
  })

  it('says for every kind of failure what happened, as whole sentences (T-4)', () => {
    for (const kind of ProviderFailureKind.options) {
      const note = endingOf(source.assistant([], { error: { kind, message: 'It went wrong' } }))
      expect(note?.tone).toBe('danger')
      // The message itself says what to do.
      expect(note?.text).toBe('It went wrong.')
    }
  })
})

describe('problemText', () => {
  it('tells a stop from a failure and from an answer that never came', () => {
    expect(problemText(null).tone).toBe('quiet')
    const nothing = { outcome: 'failed', reason: 'nothing_to_compact', message: 'There is nothing.' } as const
    expect(problemText(nothing)).toEqual({ tone: 'note', text: 'There is nothing.' })
    expect(problemText({ outcome: 'interrupted', reason: null, message: '' }).text).toContain('You stopped')
    expect(problemText({ outcome: 'failed', reason: 'auth', message: '' }).text).toBe(
      'The turn failed. Check the key of this provider in the settings.'
    )
  })
})

describe('summaryText', () => {
  it('leaves out what is not known', () => {
    const turn = { durationMs: null, costUsd: null, steps: 1, usage: null, model: null }
    expect(summaryText(turn)).toBe('')
    expect(summaryText({ ...turn, durationMs: 4_200, costUsd: 0.41, steps: 3 })).toBe('4.2 s · $0.41 · 3 steps')
  })
})

describe('notSentOf', () => {
  it('reads words and attachments out of the capsule (H-12)', () => {
    const parts = [
      { type: 'text', text: 'One.' },
      { type: 'file', mediaType: 'image/png', url: 'attachment:x', filename: 'a.png' },
      { type: 'from-a-newer-version' },
      'damaged'
    ]
    expect(notSentOf(source.notSent('', { parts }))).toMatchObject({ text: 'One.', attachments: ['a.png'] })
  })

  it('has a reason even where the capsule names none', () => {
    expect(notSentOf(source.notSent('x', { message: undefined, reason: 'history_access' })).reason).toContain(
      'session_history'
    )
    expect(notSentOf(source.notSent('x', { message: undefined, reason: 7, parts: null })).reason).not.toBe('')
  })
})

describe('rowText', () => {
  it('joins the texts of a row and leaves the rest out', () => {
    expect(rowText(source.assistant([text('a'), { type: 'reasoning', text: 'x' }, text('b')]))).toBe('a\n\nb')
  })
})

describe('dividerFacts', () => {
  it('names the window and the share used, where they are known (U-3)', () => {
    expect(dividerFacts(source.boundary('rollover'), 'rollover', 3)).toEqual([
      'Context window rollover',
      'window 3',
      '182k of 200k'
    ])
    expect(dividerFacts(source.boundary('reset'), 'reset', null)).toEqual(['Context reset'])
  })

  it('says whether there was room for notes and whether this window was given any (U-3)', () => {
    const notesOf = (note: object) =>
      dividerDetails(source.boundary('rollover', { ...note }), 'rollover').find(([name]) => name === 'Notes')?.[1]
    expect(notesOf({ flushOpportunity: true, notesCarried: true })).toBe(
      'There was room for the agent to write them before. This window was given the notes that there are.'
    )
    expect(notesOf({ flushOpportunity: false, notesCarried: false })).toBe(
      'There was no room left for the agent to write them. This window was given none.'
    )
    expect(notesOf({ flushOpportunity: false })).toBe('There was no room left for the agent to write them.')
  })

  it('explains itself though the note is damaged', () => {
    const row = source.boundary('rollover', { reason: 4, previousWindowId: null, flushOpportunity: 'yes' })
    expect(dividerDetails(row, 'rollover')).toEqual([['Why', 'The window was full.']])
  })
})
