import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@common/contract/events'
import type { ApprovalRequest } from '@common/tools/approval'
import { People } from './people'

const request: Omit<ApprovalRequest, 'approvalId'> = {
  toolCallId: 'c',
  toolName: 'bash',
  subject: { kind: 'command', command: 'rm -rf build', cwd: '/p' },
  reason: 'It deletes files.',
  workspaceGrant: null
}
const question = { toolCallId: 'c', question: 'Which one?', options: ['a', 'b'] }

function gathered(present = true) {
  const told: SessionEvent[] = []
  let ids = 0
  const people = new People({ present, newId: () => `id-${++ids}`, publish: (event) => told.push(event) })
  return { people, told, abort: new AbortController() }
}

describe('what waits for a person', () => {
  it('A-3 is shown exactly, answered once, and told when it begins and ends', async () => {
    const { people, told, abort } = gathered()
    const answer = people.askApproval(request, abort.signal)
    expect(people.approvals).toEqual([{ ...request, approvalId: 'id-1' }])
    expect([people.waiting, people.questions]).toEqual([true, []])
    expect(people.answerApproval('id-1', { decision: 'deny', message: 'Not that folder.' })).toBe(true)
    expect(people.answerApproval('id-1', { decision: 'once' })).toBe(false)
    expect(await answer).toEqual({ decision: 'deny', message: 'Not that folder.' })
    expect([people.waiting, people.approvals]).toEqual([false, []])
    expect(told.filter((event) => event.type === 'approvals-changed').map((event) => event.approvals.length)).toEqual([
      1, 0
    ])
  })

  it('A-3 gives each of several its own answer, in any order', async () => {
    const { people, abort } = gathered()
    const first = people.askApproval(request, abort.signal)
    const second = people.askQuestion(question, abort.signal)
    const third = people.askApproval({ ...request, toolCallId: 'd' }, abort.signal)
    expect(people.answerQuestion('id-1', 'a')).toBe(false)
    people.answerApproval('id-3', { decision: 'workspace' })
    people.answerQuestion('id-2', 'b')
    people.answerApproval('id-1', { decision: 'once' })
    expect(await Promise.all([first, second, third])).toEqual([{ decision: 'once' }, 'b', { decision: 'workspace' }])
  })

  it('takes a person who will not say for an answer', async () => {
    const { people, abort } = gathered()
    const answer = people.askQuestion(question, abort.signal)
    people.answerQuestion('id-1', null)
    expect(await answer).toBeNull()
    expect(people.waiting).toBe(false)
  })

  it('T-1 is given up when the turn stops, and an answer then comes too late', async () => {
    const { people, told, abort } = gathered()
    const answers = [people.askApproval(request, abort.signal), people.askQuestion(question, abort.signal)]
    abort.abort()
    expect(await Promise.all(answers)).toEqual([null, null])
    expect(people.waiting).toBe(false)
    expect(people.answerApproval('id-1', { decision: 'once' })).toBe(false)
    expect(told.at(-1)).toEqual({ type: 'questions-changed', questions: [] })
  })

  it('A-3 does not wait at all without anybody there or in a turn that was stopped', async () => {
    const alone = gathered(false)
    expect(await alone.people.askApproval(request, alone.abort.signal)).toBeNull()
    expect(await alone.people.askQuestion(question, alone.abort.signal)).toBeNull()
    const stopped = gathered()
    stopped.abort.abort()
    expect(await stopped.people.askApproval(request, stopped.abort.signal)).toBeNull()
    expect([...alone.told, ...stopped.told]).toEqual([])
  })
})
