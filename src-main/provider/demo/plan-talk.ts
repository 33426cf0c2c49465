// Owns the plans that need no file: help, to-do lists, questions, memories, and what was not understood.
import { type DemoPlan, type DemoResult, type DemoStep, callOne, whyNot } from './demo-call'
import type { PlanContext } from './plan-context'
import { planRead } from './plan-read'
import { matchList } from './plan-search'
import { salientWords } from './salient-words'
import { outputOf, textOf } from './tool-facts'
import { bullets, code, fence, joined, plural, quoteOf } from './wording'

const ABILITIES = [
  'describe this project: “what is this project?”',
  'list and read files: “read README.md”, “how many TypeScript files are there?”',
  'search: “where is main defined?”, “find TODO”',
  'run commands and the project’s own tests: “run `git status`”, “run the tests”',
  'create, change and extend files: “replace "a" with "b" in notes.txt”',
  'keep a to-do list, ask you, remember facts, and look up what was said before'
]

export function helpText({ offered }: PlanContext): string {
  const tools =
    offered.size === 0
      ? 'no tools are offered to me here'
      : `the tools I may call here are ${joined([...offered].map(code))}`
  return `I am **Tide 1**, a small demo that is part of Tidemark. I run on this machine, without a network and without a language model: I recognise a handful of requests, answer them by really calling tools, and quote what they return. I can:\n\n${bullets(ABILITIES)}\n\nMy context window is small on purpose, so that you soon see what happens when one fills. For real work add a provider in the settings. Right now ${tools}.`
}

export function* planTodo(
  intent: { items: readonly string[]; about: string },
  { conversation, offered }: PlanContext
): DemoPlan {
  const items = intent.items.length > 0 ? intent.items : yield* stepsFor(intent.about)
  const file = /[^\s`'"“(]*\.tidemark\/plans\/[\w.-]+\.md/.exec(conversation.system)?.[0]
  if (file !== undefined && intent.items.length === 0 && offered.has('file_write')) {
    const content = `# Plan${intent.about === '' ? '' : `: ${intent.about}`}\n\n${items.map((item, index) => `${index + 1}. ${item}`).join('\n')}\n`
    const written = yield* callOne(
      { toolName: 'file_write', input: { path: file, content } },
      { think: 'The plan belongs into the plan file.' }
    )
    return written.kind === 'done'
      ? `The plan is in ${code(file)}:\n\n${content.split('\n').slice(2).join('\n')}`
      : `I could not write the plan file: ${whyNot(written, 'file_write')}. The plan:\n\n${bullets(items)}`
  }
  const list = items.map((content, index) => ({ content, status: index === 0 ? 'in_progress' : 'pending' }))
  const result = yield* callOne(
    { toolName: 'todo', input: { items: list } },
    { think: 'The to-do list keeps these where you can see them.' }
  )
  const kept =
    result.kind === 'done'
      ? `The to-do list has ${plural(items.length, 'item')} now`
      : `I cannot keep a to-do list (${whyNot(result, 'todo')}), so here it is`
  return `${kept}:\n\n${items.map((item, index) => `${index + 1}. ${item}${index === 0 ? ' — in progress' : ''}`).join('\n')}`
}

/** Steps with real names: where the words of the wish stand in the project. */
function* stepsFor(about: string): Generator<DemoStep, string[], readonly DemoResult[]> {
  const wish = about === '' ? 'the change' : about
  const [word] = salientWords(about, 1)
  const steps = [`Look at how ${wish} fits into the project`]
  if (word !== undefined) {
    const input = { pattern: word, literal: true, ignore_case: true }
    const found = outputOf(
      'grep',
      yield* callOne({ toolName: 'grep', input }, { think: `A plan needs places: where does ${word} stand?` })
    )
    const files = [...new Set(found?.matches.map((match) => match.path) ?? [])].slice(0, 3)
    steps.push(files.length === 0 ? `Decide where ${wish} belongs: nothing names ${word} yet` : `Read ${joined(files)}`)
  }
  return [...steps, `Make the change: ${wish}`, 'Run the tests', 'Read the whole change once more']
}

export function* planAsk(intent: { question: string; options: readonly string[] }): DemoPlan {
  const { question, options } = intent
  const input = options.length === 0 ? { question } : { question, options }
  const result = yield* callOne({ toolName: 'ask_user', input }, { think: 'You want to be asked, so I ask.' })
  const answer = outputOf('ask_user', result)
  return answer === null
    ? `I could not ask: ${whyNot(result, 'ask_user')}.`
    : `You answered: ${quoteOf(answer.answer, 500)}.`
}

export function* planRemember(intent: { fact: string; scope: string }): DemoPlan {
  const name =
    intent.fact
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
      .split(' ')
      .slice(0, 6)
      .join('-')
      .slice(0, 48) || 'fact'
  const path = `/memories/${intent.scope}/${name}.md`
  const input = { command: 'create', path, file_text: `${intent.fact}\n` }
  const result = yield* callOne(
    { toolName: 'memory', input },
    { think: 'A fact to keep beyond this window: it goes to the memory.' }
  )
  return result.kind === 'done'
    ? `I will remember: ${quoteOf(intent.fact, 300)}. It is in ${code(path)}.`
    : `I cannot keep that: ${whyNot(result, 'memory')}.`
}

export function* planMemories(): DemoPlan {
  const result = yield* callOne(
    { toolName: 'memory', input: { command: 'view', path: '/memories' } },
    { think: 'The memory tool shows what is kept.' }
  )
  if (result.kind !== 'done') return `I cannot look into the memory: ${whyNot(result, 'memory')}.`
  const listed = outputOf('memory', result)
  const files = listed?.kind === 'folder' ? listed.entries.map(({ path }) => path).join('\n') : null
  const text = (files ?? textOf(result, 2_000)).trim()
  if (text === '') return 'The memory is empty.'
  return `The memory holds:\n\n${fence(text)}`
}

export function countText(upTo: number): string {
  return Array.from({ length: Math.min(upTo, 400) }, (_, index) => String(index + 1)).join(' ')
}

/** Honest: says that it was not understood, and gives what a search finds for its words. */
export function* planUnknown(
  intent: { text: string; words: readonly string[]; paths: readonly string[] },
  context: PlanContext
): DemoPlan {
  const honest = 'I am only a small demo and did not understand that as one of the things I can do.'
  if (intent.text === '') return `${honest}\n\n${helpText(context)}`
  if (intent.paths.length > 0) {
    const read = yield* planRead({ paths: intent.paths, range: null, manner: 'explain' }, context)
    return `${honest} What I can say of the file that you named:\n\n${read}`
  }
  for (const word of intent.words.slice(0, 2)) {
    const result = yield* callOne(
      { toolName: 'grep', input: { pattern: word, literal: true, ignore_case: true } },
      { think: `I do not know how to do that. The project may still say something about ${word}.` }
    )
    const found = outputOf('grep', result)
    if (found !== null && found.total > 0)
      return `${honest} But ${code(word)} stands ${plural(found.total, 'time')} in this project, which may help:\n\n${matchList(found.matches.slice(0, 8), found.total)}`
  }
  return `${honest}${intent.words.length > 0 ? ` A search for ${joined(intent.words.slice(0, 2).map(code))} found nothing.` : ''} Ask "what can you do?" for what I can, or choose another model in the settings.`
}
