// Owns what survives a compaction beside its summary (K-1, K-3): plan, edited files, to-do list and skills, as they are
// at that moment, rendered once into one text of bounded length. Pure but for the counting of its tokens.
import { POST_COMPACTION_CONTEXT_CHARS } from '@common/constants'
import type { PostCompactionContext } from '@common/rows/row-schema'
import type { SeenFile } from '@common/rows/seen-file'
import type { TodoItem } from '@common/tools/tool-contracts'
import { cutText } from './cut-text'
import type { EditedFile } from './edited-files'
import { fairShares } from './fair-shares'

export interface PlanFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string
  readonly content: string
  readonly modifiedMs: number
  /** The file as it was read: what a later change is told by (K-5). */
  readonly seen: SeenFile
}

/** The plan, or one that is there and cannot be carried; `problem` is one sentence. */
export type CarriedPlan = PlanFile | { readonly path: string; readonly problem: string }

export interface CarriedFile extends EditedFile {
  /** Somebody else changed it since. */
  readonly isChangedSince: boolean
}

export interface CarrySources {
  readonly plan: CarriedPlan | null
  readonly files: readonly CarriedFile[]
  readonly todo: readonly TodoItem[]
  readonly skillNames: readonly string[]
}

const OPENING =
  'What was at hand when the conversation above was summarised. It is a snapshot: changes after it are told as they come.'

interface Section {
  readonly name: string
  readonly whole: string
  /** In at most so many characters; empty where nothing of it fits. */
  fit(room: number): string
}

/** The context as it is stored on the boundary row; null where there is nothing to carry. */
export async function renderPostCompactionContext(
  sources: CarrySources,
  { nowMs, countTokens }: { readonly nowMs: number; countTokens(text: string): Promise<number> }
): Promise<PostCompactionContext | null> {
  const { plan, todo, skillNames } = sources
  const first = planSection(plan)
  const others = [filesSection(sources.files), todoSection(todo), skillsSection(skillNames)]
  const sections = [first, ...others].filter((section) => section !== null)
  if (sections.length === 0) return null
  const text = fitSections(sections, first !== null)
  const carriesPlan = plan !== null && 'content' in plan && first !== null && text.includes(first.whole)
  return {
    text,
    tokens: await countTokens(text),
    ...(carriesPlan ? { plan: { ...plan } } : {}),
    ...(todo.length === 0 ? {} : { todo: [...todo] }),
    skillNames: [...skillNames],
    builtAtMs: nowMs
  }
}

const BREAK = '\n\n'
/** Of the line that names what found no room. */
const LEFT_OUT_CHARS = 120

/** The plan whole as far as it goes, then a fair share for each of the others. */
function fitSections(sections: readonly Section[], isPlanFirst: boolean): string {
  const all = POST_COMPACTION_CONTEXT_CHARS - OPENING.length - sections.length * BREAK.length
  const wants = sections.map(({ whole }) => whole.length)
  const isTight = wants.reduce((sum, want) => sum + want, 0) > all
  const room = isTight ? all - LEFT_OUT_CHARS : all
  const planRoom = isPlanFirst ? Math.min(wants[0] ?? 0, room) : 0
  const shares = isPlanFirst ? [planRoom, ...fairShares(wants.slice(1), room - planRoom)] : fairShares(wants, room)
  const fitted = sections.map(({ fit }, index) => fit(shares[index] ?? 0))
  const leftOut = sections.filter((_, index) => fitted[index] === '').map(({ name }) => name)
  const shown = [OPENING, ...fitted.filter((text) => text !== '')]
  return [...shown, ...(leftOut.length === 0 ? [] : [`[No room here for: ${leftOut.join(', ')}.]`])].join(BREAK)
}

function sectionOf(name: string, whole: string): Section {
  return { name, whole, fit: (room) => cutText(whole, room, name) }
}

function planSection(plan: CarriedPlan | null): Section | null {
  if (plan === null) return null
  const text = 'problem' in plan ? `The plan (${plan.path}) is not here: ${plan.problem}` : planText(plan)
  return sectionOf('the plan', text)
}

function planText({ path, content }: PlanFile): string {
  return `The plan (${path}):\n\n${content}`
}

function todoSection(todo: readonly TodoItem[]): Section | null {
  if (todo.length === 0) return null
  const lines = todo.map(({ status, content }) => `- [${MARKS[status]}] ${content}`)
  return sectionOf('the to-do list', ['The to-do list:', ...lines].join('\n'))
}

const MARKS = { pending: ' ', in_progress: '~', completed: 'x' } as const

function skillsSection(names: readonly string[]): Section | null {
  return names.length === 0 ? null : sectionOf('the skills', `Skills that were pointed out: ${names.join(', ')}.`)
}

const FILES_NAME = 'the edited files'
const FILES_HEAD =
  'Files that were edited in what was summarised, the one edited last first, each with its newest change first:'

/** Every name comes first, since a name can be read again; the diffs share what is left. */
function filesSection(files: readonly CarriedFile[]): Section | null {
  if (files.length === 0) return null
  const render = (diffs: readonly string[]): string =>
    [FILES_HEAD, ...files.map((file, index) => `${headOf(file)}${diffs[index] ?? ''}`)].join(BREAK)
  const whole = files.map(({ diffs }) => `\n${diffs.join('\n')}`)
  return {
    name: FILES_NAME,
    whole: render(whole),
    fit(room) {
      const heads = render([])
      if (heads.length > room) return cutText(heads, room, FILES_NAME)
      const shares = fairShares(
        whole.map(({ length }) => length),
        room - heads.length
      )
      return render(whole.map((diff, index) => cutText(diff, shares[index] ?? 0, 'what changed in this file')))
    }
  }
}

function headOf({ path, added, removed, isChangedSince }: CarriedFile): string {
  return `${path}: +${added} −${removed} lines${isChangedSince ? '; changed by something else since, so read it again' : ''}`
}
