// Owns which words of a request are worth searching for: names of code first, then long and rare words.

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Words that hold sentences together. */
const GRAMMAR = words(
  `a about above after again all also am an and any anything are as at be because been before below but by can cannot could did do
  does doing done down during each earlier else ever every exactly few for from get give go had has have having he help her here him
  his how i if in into is it its just last less let like look made make makes making many may me mean more most much must my need
  needs no not now of off on once one only or other our out over own please really same see shall she should so some something still
  such take than thank thanks that the their them then there these they thing things think this those through time to too two under
  until up us very want was way we were what when where which while who why will with would you your yours previous previously`
)

/** Words that say what to do and not with what. */
const TASK = words(
  `ask code exactly explain file files find first fix function keep know line lines list mentioned mention name new open part person
  problem project read recall remember remind repo run said say search show tell told use used uses using word work works write
  question message`
)

/** Words of a question about the past that its answer does not hold. */
const PAST = words(
  `ask asked discuss discussed exactly find first know mention mentioned question message recall remember remind said say search tell
  told talked chat conversation session history window request beginning start run ran show`
)

/** Up to `limit` words to search the project for, best first; each at least three characters long. */
export function salientWords(text: string, limit = 4): string[] {
  return rarest(text, limit, TASK)
}

/** As `salientWords`, for a question about the conversation. */
export function recalledWords(text: string, limit = 4): string[] {
  return rarest(text, limit, PAST)
}

function rarest(text: string, limit: number, common: ReadonlySet<string>): string[] {
  const found = text.match(/[\p{L}_$][\p{L}\p{N}_$]*(?:[-.][\p{L}\p{N}_$]+)*/gu) ?? []
  const useful = found.filter(
    (word) => word.length > 2 && !GRAMMAR.has(word.toLowerCase()) && !common.has(word.toLowerCase())
  )
  return [...new Set(useful)].toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, limit)
}

function weightOf(word: string): number {
  const isCodeName = /[a-z][A-Z]|_|\$|\w-\w|\.\w|^[A-Z]{2,}/.test(word)
  return word.length + (isCodeName ? 20 : 0)
}
