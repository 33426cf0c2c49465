// Owns recognising what is about the conversation itself: help, memory, history, lists, questions.
import type { Clause } from './clauses'
import type { Intent } from './intent'
import { spansIn, unmask } from './quoted-text'
import { recalledWords } from './salient-words'

export function recogniseTalk(clause: Clause): Intent | null {
  const { lower } = clause
  if (
    /^(?:hi|hello|hey|howdy|help|good (?:morning|afternoon|evening)|yo)\b[\s!.?,]*(?:there|tidemark|tide|demo)?[\s!.?]*$/.test(
      lower
    )
  )
    return { kind: 'help' }
  if (
    /\bwhat (?:can|do) you (?:do|know)\b|\bwho are you\b|\bwhat are you\b|\bwhat tools\b|\bare you (?:an? )?(?:real|ai|llm|human|bot|model|claude|gpt)|\bwhat (?:model|is this demo)\b|\bhow do you work\b/.test(
      lower
    )
  )
    return { kind: 'help' }
  if (
    /^(?:thanks?|thank you|thx|great|nice|cool|perfect|ok(?:ay)?|good|well done|awesome|yes|no|sure|got it)\b[^?]{0,40}$/.test(
      lower
    ) &&
    clause.paths.length === 0
  )
    return { kind: 'thanks' }
  if (
    /\bsummar(?:y|i[sz]e|ies)\b|\brecap\b|\bhand-?over\b/.test(lower) &&
    /\b(?:conversation|chat|discussion|session|so far|transcript|what we(?:'ve| have)?|our work|messages? above|context)\b/.test(
      lower
    )
  )
    return { kind: 'summarise' }
  return recogniseMemory(clause) ?? recogniseLists(clause)
}

function recogniseMemory(clause: Clause): Intent | null {
  const { lower, masked, spans } = clause
  if (/\b(?:write|update|save|make)\b.{0,30}\b(?:context[ -])?notes\b/.test(lower) && clause.paths.length === 0)
    return { kind: 'notes' }
  if (
    /\bwhat (?:do|can) you (?:remember|have in (?:your )?memory)|\b(?:show|list|view|what is in|what's in|read)\b.{0,20}\bmemor(?:y|ies)\b/.test(
      lower
    )
  )
    return { kind: 'memories' }
  const remember =
    /^(?:remember|memori[sz]e|keep in mind|note(?: down)?|don't forget|do not forget|save to memory|store)\b[,:]?\s*(?:that\b|this\b:?)?\s*(.+)$/is.exec(
      masked
    )
  if (
    remember?.[1] !== undefined &&
    !lower.endsWith('?') &&
    !/^(?:when|what|how|where)\b/.test(remember[1].toLowerCase())
  ) {
    const scope = /\b(?:global(?:ly)?|all projects|every project)\b/.test(lower)
      ? 'global'
      : /\b(?:this (?:chat|conversation|workspace))\b/.test(lower)
        ? 'workspace'
        : 'project'
    return { kind: 'remember', fact: unmask(remember[1], spans).replace(/^that\s+/i, ''), scope }
  }
  const aboutPast =
    /\b(?:did|have|had|was|were|just)\b.{0,40}\b(?:i|we|you)\b|\b(?:i|we|you)\b.{0,20}\b(?:said?|told|mentioned|gave|talked|discussed|asked|ran|did|found|decided|agreed|wrote)\b/
  const marksPast =
    /\b(?:earlier|before|previous(?:ly)?|recall|remind me|last time|first (?:message|question|request|thing)|at the (?:start|beginning)|beginning of|(?:older|sealed|last) windows?|history)\b/
  const asks =
    /^(?:what|when|which|where|who|why|how|do|did|have|recall|remind|can|could|tell|look|find|search|check)\b|\?$/
  if (asks.test(lower) && (aboutPast.test(lower) || (marksPast.test(lower) && !/\bgit\b/.test(lower)))) {
    return {
      kind: 'recall',
      words: recalledWords(clause.text),
      first: /\b(?:first|at the (?:start|beginning)|beginning of)\b/.test(lower)
    }
  }
  return null
}

function recogniseLists(clause: Clause): Intent | null {
  const { lower, masked, spans } = clause
  const ask =
    /^ask (?:me|the user|the person|us)\b\s*(?:a question)?\s*(?:about|whether|if|which|what|for|to)?[,:]?\s*(.*)$/is.exec(
      masked
    )
  if (ask !== null) return askOf(ask[1] ?? '', clause)
  if (
    /\b(?:to-?do|task) ?list\b|\btodos?:|^(?:todo|plan)\b|\bchecklist\b|\b(?:make|write|draft|give|create|propose|need)\b.{0,20}\bplan\b/.test(
      lower
    ) &&
    !/\b(?:find|search|grep|where)\b/.test(lower)
  ) {
    const after = /[:：]\s*(.+)$/s.exec(unmask(masked, spans))?.[1] ?? ''
    const about = /\b(?:for|to|about|how to)\s+(.+)$/is.exec(clause.text)?.[1] ?? ''
    return { kind: 'todo', items: splitList(after), about: after === '' ? about : '' }
  }
  return null
}

function askOf(rest: string, { masked, spans }: Clause): Intent {
  const listed = /^(.*?):\s*⟦(\d+)⟧$/s.exec(masked)
  if (listed !== null) {
    const question = unmask(listed[1] ?? '', spans).replace(/^ask (?:me|the user|the person|us)\s*/i, '')
    return { kind: 'ask', question: sentence(question), options: splitList(spans[Number(listed[2])]?.text ?? '') }
  }
  const quoted = spansIn(masked, spans).map((span) => span.text)
  if (quoted.length === 1) return { kind: 'ask', question: quoted[0] ?? '', options: [] }
  const words = unmask(rest, spans)
  if (words === '') return { kind: 'ask', question: 'What should I do next?', options: [] }
  const choice = /\bor\b/.test(words)
    ? words.replace(/^.*\b(?:prefer|want|use|choose|pick|have|take|between)\b/i, '')
    : ''
  const question = sentence(unmask(masked.replace(/^ask (?:me|the user|the person|us)\s*/i, ''), spans))
  return {
    kind: 'ask',
    question,
    options: quoted.length > 1 ? quoted.slice(-8) : splitList(choice.replace(/\?$/, ''))
  }
}

/** "a, b and c" as its members; one member is no list. */
function splitList(text: string): string[] {
  const members = text
    .split(/\s*(?:[,;\n]|\band\b|\bor\b)\s*/i)
    .map((member) => member.replace(/^[-*\d.)\s]+/, '').trim())
    .filter((member) => member !== '' && member.length < 200)
  return members.length > 1 ? members.slice(0, 20) : []
}

function sentence(text: string): string {
  const clean = text
    .replace(/\s+([:,])/g, '$1')
    .replace(/^(?:a question\s*)?(?:about|for)\s+/i, 'About ')
    .trim()
  const first = clean.charAt(0).toUpperCase() + clean.slice(1)
  return /[?.!]$/.test(first) ? first : `${first}?`
}
