// Owns recognising what is about the project as a whole: overview, search, commands, addresses.
import type { Clause } from './clauses'
import type { Intent } from './intent'
import { folderIn, globIn, globOfKind, urlIn } from './named-paths'
import { beginsWithProgram } from './programs'
import { spansIn, unmask } from './quoted-text'
import { salientWords } from './salient-words'

export function recogniseCommands(clause: Clause): Intent | null {
  const { lower, masked, spans } = clause
  const code = spansIn(masked, spans).filter((span) => span.form === 'code')[0]?.text
  if (/^\$ ⟦\d+⟧$/.test(masked) && code !== undefined) return { kind: 'run', command: code }
  if (/\b(?:run|execute|exec)\b|\bthe command\b/.test(lower)) {
    if (code !== undefined) return { kind: 'run', command: code }
    const words = /^(?:run|execute|exec)\b:?\s+(?:the )?(?:shell )?(?:command\b:?\s*)?(.+)$/is.exec(masked)?.[1]
    const command = words === undefined ? null : commandOf(unmask(words, spans))
    const script = scriptIn(lower)
    if (command !== null && (script === null || beginsWithProgram(command))) return { kind: 'run', command }
    if (script !== null) return { kind: 'script', script }
  }
  if (/^⟦\d+⟧$/.test(masked) && code !== undefined && /^[\w./-]+\s/.test(code) && !code.includes('\n')) {
    return { kind: 'run', command: code }
  }
  // Files and folders are read without a shell, which would ask first.
  const isRead = /^(?:cat\s+\S+|ls(?:\s+[\w./-]+)?)$/.test(clause.text)
  if (beginsWithProgram(clause.text) && !isRead && !/\?$|\b(?:the|a|an|my|this)\b/.test(clause.text)) {
    return { kind: 'run', command: clause.text }
  }
  const asks = /^(?:do|does|are|is|check|verify|see|make sure|test|build|lint|type-?check|start)\b/.test(lower)
  const script = asks ? scriptIn(lower) : null
  return script === null ? (recogniseSum(clause.text) ?? recogniseGit(lower)) : { kind: 'script', script }
}

/** "What is 2+2": the demo is no calculator, but the shell has one. */
function recogniseSum(text: string): Intent | null {
  const sum = /^(?:what(?:'s|’s| is)|calculate|compute|how much is)\s+([\d\s.+*/()%-]{3,60}?)\s*\??$/i
    .exec(text)?.[1]
    ?.trim()
  return sum !== undefined && /\d\s*[-+*/%]\s*[\d(]/.test(sum)
    ? { kind: 'run', command: `awk 'BEGIN { print ${sum} }'` }
    : null
}

export function recogniseProject(clause: Clause): Intent | null {
  const { lower } = clause
  const thing = '(?:project|repo(?:sitory)?|code ?base|app(?:lication)?|package|library|program|folder|code here)'
  if (
    new RegExp(
      String.raw`\b(?:what|explain|describe|summari[sz]e|overview|tell me about|understand|introduce|how is|get to know|tour|walk)\b.*\b${thing}\b`
    ).test(lower)
  )
    return { kind: 'overview' }
  if (
    /^(?:overview|explain this|what is this|what's this|what does (?:this|it) do|architecture|tour)\b|\bgive me (?:an |a )?(?:overview|tour|summary)\b|\bwhere do i (?:start|begin)\b/.test(
      lower
    )
  )
    return { kind: 'overview' }
  const url = urlIn(clause.text)
  if (url !== null && /\b(?:fetch|get|open|read|download|visit|load|browse)\b|^https?:/.test(lower))
    return { kind: 'fetch', url }
  const upTo = /^count (?:from \d+ )?(?:up )?to (\d{1,4})\b/.exec(lower)?.[1]
  return upTo === undefined ? recogniseSearch(clause) : { kind: 'count', upTo: Number(upTo) }
}

function recogniseSearch(clause: Clause): Intent | null {
  const { lower, masked, spans } = clause
  const asks =
    /^(?:find|search|grep|look(?: for| up)?|locate|where|who|which|what|how many|are there|is there|show|list|any|how|does|explain|count)\b/.test(
      lower
    )
  if (!asks) return null
  const verb =
    /\b(?:find|search|grep|look(?:ing)? for|locate|where(?:'s| is| are| do| does)?|who (?:calls|uses|imports)|usages?|references?|occurrences?|defined?|definition|declared|implemented|contain(?:s|ing)?|mention(?:s|ing)?|used|todos?|fixmes?|import(?:s|ing)?|calls?|uses)\b/
  const quoted = spansIn(masked, spans)[0]?.text
  if (!verb.test(lower) && quoted === undefined) return null
  const marker = /\b(todo|fixme|hack|xxx)s?\b/.exec(lower)?.[1]?.toUpperCase()
  const term = quoted ?? marker ?? termIn(clause)
  if (term === null || term.trim() === '') return null
  const folder = folderIn(masked, spans)
  const glob = globIn(masked, spans) ?? (quoted === undefined && marker === undefined ? null : globOfKind(clause.text))
  const scoped = folder === null || unmask(folder, spans) === term ? glob : `${folder}/${glob ?? '**'}`
  return {
    kind: 'search',
    term,
    glob: scoped,
    definition: /\bdefin|\bdeclared|\bimplemented|\bwhere(?:'s| is)\b/.test(lower)
  }
}

/** What follows the verb, when it is one name; else the most telling word. */
function termIn(clause: Clause): string | null {
  const named =
    /\b(?:for|of|to|is|are|calls?|uses?|imports?|find|grep|locate|called|named|function|class|method|variable|constant|type|interface|word|string|text)\s+(?:the\s+|all\s+|every\s+|any\s+|a\s+|an\s+)?(?:function|class|method|variable|constant|type|interface|word|string|text|usages? of|uses? of|references? to|occurrences? of)?\s*([\p{L}_$][\w$.-]*)(?:\(\))?\s*(?:defined|declared|implemented|used|called|imported|comments?|in\b.*|\?|$)/iu.exec(
      clause.text
    )?.[1]
  const [best] = salientWords(clause.text, 1)
  if (named !== undefined && named.length > 2 && salientWords(named, 1).length > 0) return named
  return best ?? null
}

function scriptIn(lower: string): 'test' | 'build' | 'lint' | 'typecheck' | null {
  if (/\b(?:tests?|test suite|unit tests|specs)\b/.test(lower) && !/\btest (?:file|data)\b/.test(lower)) return 'test'
  if (/\btype-?checks?(?:er)?\b|\btypes? (?:check|errors?)\b/.test(lower)) return 'typecheck'
  if (/\blint(?:er|ing)?\b/.test(lower)) return 'lint'
  return /\b(?:build|compile)s?\b/.test(lower) ? 'build' : null
}

function recogniseGit(lower: string): Intent | null {
  if (/\b(?:git )?(?:recent|last|latest) (?:\d+ )?commits?\b|\bcommit (?:history|log)\b|\bgit history\b/.test(lower)) {
    const count = Math.min(50, Number(/\b(\d{1,3}) commits?\b/.exec(lower)?.[1] ?? 10))
    return { kind: 'run', command: `git log --oneline -n ${count}` }
  }
  if (/\b(?:which|what|current) branch\b|\bbranch (?:am i|are we)\b/.test(lower))
    return { kind: 'run', command: 'git branch --show-current' }
  if (
    /\buncommitted\b|\bgit status\b|\bworking tree\b|^what(?:'s| has| is)? changed\b|\bwhat did i change\b|\bmy changes\b/.test(
      lower
    )
  )
    return { kind: 'run', command: 'git status --short && git diff --stat' }
  if (/\bhow many lines\b|\blines of code\b|\bline count\b/.test(lower)) {
    return { kind: 'run', command: 'git ls-files -z 2>/dev/null | xargs -0 wc -l 2>/dev/null | sort -n | tail -n 15' }
  }
  return /\b(?:node|npm|python|git|rust|go) version\b|\bversion of (?:node|npm|python|git)\b/.test(lower)
    ? {
        kind: 'run',
        command: `${
          /\b(node|npm|python3?|git|rustc?|go)\b/
            .exec(lower)?.[1]
            ?.replace(/^rust$/, 'rustc')
            .replace(/^python$/, 'python3') ?? 'node'
        } ${/\bgo\b/.test(lower) ? 'version' : '--version'}`
      }
    : null
}

/** A command typed without quotes: the words of the sentence after it are not part of it. */
function commandOf(words: string): string {
  return words
    .replace(
      /\s+(?:in the (?:shell|terminal|project)|for me|and (?:tell|show|report|give|explain|say)\b.*|to see\b.*)$/i,
      ''
    )
    .replace(/[.?!]$/, '')
    .trim()
}
