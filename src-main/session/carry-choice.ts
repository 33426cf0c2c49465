// Owns what a person lets a compaction carry (K-8): the switches as workspace.json keeps them, and how they are listed.
// Pure.
import { MAX_CARRY_SWITCHES } from '@common/constants'
import type { CarryOverView } from '@common/contract/context-views'
import type { CarrySources } from '../compaction/post-compaction-context'
import type { CarryChoice } from './workspace-file'

const PLAN = 'plan'
const TODO = 'todo'
const fileId = (path: string): string => `file:${path}`
const skillId = (name: string): string => `skill:${name}`

/** What is left of the sources where the person's switches are off. */
export function chosenSources({ plan, files, todo, skillNames }: CarrySources, choice: CarryChoice): CarrySources {
  const isOn = (id: string): boolean => !choice.off && !choice.without.includes(id)
  return {
    plan: isOn(PLAN) ? plan : null,
    files: files.filter(({ path }) => isOn(fileId(path))),
    todo: isOn(TODO) ? todo : [],
    skillNames: skillNames.filter((name) => isOn(skillId(name)))
  }
}

/** What the next compaction would carry, in its order, each with its switch. */
export function carryOverViewOf({ plan, files, todo, skillNames }: CarrySources, choice: CarryChoice): CarryOverView {
  const switchOf = (id: string) => ({ id, isOn: !choice.without.includes(id) })
  const problem = plan !== null && 'problem' in plan ? plan.problem : null
  return {
    isOn: !choice.off,
    items: [
      ...(plan === null ? [] : [{ kind: 'plan' as const, ...switchOf(PLAN), path: plan.path, problem }]),
      ...files.map(({ path, added, removed }) => ({
        kind: 'file' as const,
        ...switchOf(fileId(path)),
        path,
        added,
        removed
      })),
      ...(todo.length === 0 ? [] : [{ kind: 'todo' as const, ...switchOf(TODO), count: todo.length }]),
      ...skillNames.map((name) => ({ kind: 'skill' as const, ...switchOf(skillId(name)), name }))
    ]
  }
}

/** The switches after one was moved; null is the one for all, which leaves the others as they are. */
export function withSwitch(choice: CarryChoice, itemId: string | null, isOn: boolean): CarryChoice {
  if (itemId === null) return { ...choice, off: !isOn }
  const others = choice.without.filter((id) => id !== itemId)
  return { ...choice, without: isOn ? others : [...others, itemId].slice(-MAX_CARRY_SWITCHES) }
}
