// Owns which plan answers which intent, and the order: notes first when the app asked for them, then each
// request in turn. After a rollover in the middle of a task, effects are looked up before they are repeated.
import type { DemoPlan } from './demo-call'
import type { Intent } from './intent'
import { planAppend, planCreate, planDelete, planReplace } from './plan-change'
import type { PlanContext } from './plan-context'
import { planNotes, planRecall, summaryText, whatWasDone } from './plan-history'
import { planList, planOverview } from './plan-project'
import { planRead, planReadAll } from './plan-read'
import { planReadOn } from './plan-read-on'
import { planFetch, planRun, planScript } from './plan-run'
import { planSearch } from './plan-search'
import { countText, helpText, planAsk, planMemories, planRemember, planTodo, planUnknown } from './plan-talk'
import { quoteOf } from './wording'

/** The whole turn as one plan. */
export function* planTurn(intents: readonly Intent[], context: PlanContext): DemoPlan {
  const { conversation } = context
  if (conversation.notesWanted) yield* planNotes(conversation, `go on with ${quoteOf(conversation.task, 200)}`)
  const answers: string[] = []
  for (const intent of intents) {
    const trace = context.light ? traceOf(intent) : null
    const done = trace === null ? null : yield* whatWasDone(trace, conversation)
    answers.push(done ?? (yield* planFor(intent, context)))
  }
  return answers.join('\n\n')
}

/** Text that the call of an effect has left in the history; null for what may be done twice. */
function traceOf(intent: Intent): string | null {
  switch (intent.kind) {
    case 'run':
      return intent.command.split('"')[0]?.trim() || null
    case 'script':
      return { test: 'test', build: 'build', lint: 'lint', typecheck: 'typecheck' }[intent.script]
    case 'create':
    case 'append':
    case 'delete':
      return intent.path
    case 'replace':
      return intent.from
    case 'remember':
      return intent.fact.slice(0, 60)
    default:
      return null
  }
}

function* planFor(intent: Intent, context: PlanContext): DemoPlan {
  const { conversation } = context
  switch (intent.kind) {
    case 'help':
      return helpText(context)
    case 'thanks':
      return 'Gladly. Ask me for something else in this project whenever you like.'
    case 'overview':
      return yield* planOverview(context)
    case 'list':
      return yield* planList(intent)
    case 'read':
      return yield* planRead(intent, context)
    case 'read-all':
      return yield* context.light ? planReadOn(intent.pattern, conversation) : planReadAll(intent.pattern)
    case 'search':
      return yield* planSearch(intent)
    case 'run':
      return yield* planRun(intent.command)
    case 'script':
      return yield* planScript(intent.script)
    case 'create':
      return yield* planCreate(intent)
    case 'replace':
      return yield* planReplace(intent)
    case 'append':
      return yield* planAppend(intent)
    case 'delete':
      return yield* planDelete(intent.path)
    case 'todo':
      return yield* planTodo(intent, context)
    case 'ask':
      return yield* planAsk(intent)
    case 'remember':
      return yield* planRemember(intent)
    case 'memories':
      return yield* planMemories()
    case 'notes':
      return yield* planNotes(conversation, 'nothing is under way')
    case 'recall':
      return yield* planRecall(intent, conversation)
    case 'summarise':
      return summaryText(conversation)
    case 'count':
      return countText(intent.upTo)
    case 'fetch':
      return yield* planFetch(intent.url)
    case 'unknown':
      return yield* planUnknown(intent, context)
  }
}
