// Owns recognising what is about files by name: reading, listing, creating, changing.
import type { Clause } from './clauses'
import type { Intent } from './intent'
import { folderIn, globIn, globOfKind } from './named-paths'
import { spansIn, unmask } from './quoted-text'

export function recogniseFiles(clause: Clause): Intent | null {
  return recogniseEdit(clause) ?? recogniseCreate(clause) ?? recogniseRead(clause) ?? recogniseList(clause)
}

function recogniseEdit(clause: Clause): Intent | null {
  const { masked, spans, paths, lower } = clause
  const path = paths.at(-1) ?? null
  const append =
    /^(?:append|add|insert)\b\s*(?:the |a )?(?:new )?(?:line|text|entry)?\s*(.+?)\s+(?:to|at the end of|into)\s+(?:the (?:end of )?)?(?:file\s+)?(\S+)$/is.exec(
      masked
    )
  if (append?.[1] !== undefined && path !== null && clause.text.trimEnd().endsWith(path)) {
    return { kind: 'append', line: unmask(append[1], spans), path }
  }
  const swap =
    /\b(?:replace|change|rename|substitute|switch)\b\s+(?:all\s+|every\s+)?(?:the\s+)?(?:occurrences?\s+of\s+|(?:word|text|string|function|variable|class|method|name|line|value)\s+)?(.+?)\s+(?:with|to|by|into|for|as)\s+(?:the\s+(?:word|text|string)\s+)?(.+?)(?:\s+(?:in|inside|within|of|throughout|across|everywhere)\b\s*(.*))?$/is.exec(
      masked
    )
  if (swap?.[1] === undefined || swap[2] === undefined) {
    return /^(?:delete|remove|rm)\b/.test(lower) && path !== null ? { kind: 'delete', path } : null
  }
  const named =
    swap[3] === undefined
      ? (paths.find((candidate) => unmask(swap[1] ?? '', spans).includes(` in ${candidate}`)) ?? null)
      : path
  const from = unmask(swap[1], spans).replace(/\s+in\s+\S+$/i, '')
  const to = unmask(swap[2], spans)
  return from === '' || from === to ? null : { kind: 'replace', from, to, path: named }
}

function recogniseCreate(clause: Clause): Intent | null {
  const { masked, spans, paths, lower } = clause
  const path = paths[0]
  if (path === undefined || !/^(?:create|write|make|add|generate|save|put|touch)\b/.test(lower)) return null
  if (/^(?:write|make|add|create|generate)\b.{0,12}\btests?\b.{0,8}\bfor\b/.test(lower)) return null
  const contents = spansIn(masked, spans)
    .map((span) => span.text)
    .filter((text) => text.trim() !== path)
  const after = new RegExp(
    String.raw`\b(?:containing|contains|with(?: the)?(?: content| contents| text| line)?|that (?:says|reads|contains)|saying|content:?)\s*:?\s*(.+)$`,
    'is'
  ).exec(masked)?.[1]
  const plain =
    after === undefined || /\bprint|\blog|\bfunction\b|\bhello world program\b/i.test(after)
      ? null
      : unmask(after, spans)
  const content = contents.at(-1) ?? plain
  const isProgram = /\b(?:prints?|logs?|outputs?|function|script|program|that (?:does|adds|returns))\b/.test(lower)
  return { kind: 'create', path, content: isProgram ? null : content, wish: contents.at(-1) ?? plain ?? clause.text }
}

function recogniseRead(clause: Clause): Intent | null {
  const { lower, paths } = clause
  const all = /\b(?:read|open|go through|look (?:at|through)|load)\b.{0,16}\b(?:all|every|each)\b/.test(lower)
  if (all && /\b(?:files?|sources?|docs?|modules?|code)\b/.test(lower))
    return { kind: 'read-all', pattern: patternOf(clause) }
  if (paths.length === 0) return null
  const verb =
    /\b(?:read|show|open|cat|print|display|view|look(?: at| into)?|see|explain|summari[sz]e|describe|what(?:'s| is| does| are| do)|tell me|how does|lines?|head|tail|first|review|check|inspect|go through|contents?)\b/
  const bare = paths.some((path) => clause.text.trim() === path)
  if (!verb.test(lower) && !bare) return null
  if (
    /\b(?:find|search|grep|where|list)\b/.test(lower) &&
    !/\b(?:functions?|exports?|classes|symbols|methods)\b/.test(lower)
  )
    return null
  const files = paths.filter((path) => !path.endsWith('/'))
  if (files.length === 0 || (files.every(looksLikeFolder) && /\b(?:files|folder|directory|contents?)\b/.test(lower)))
    return null
  const manner =
    /\b(?:explain|summari[sz]e|describe|what|how|tell me about|review|functions?|exports?|classes|symbols)\b/.test(
      lower
    )
      ? 'explain'
      : 'show'
  return { kind: 'read', paths: files.slice(0, 6), range: rangeIn(lower), manner }
}

function recogniseList(clause: Clause): Intent | null {
  const { lower } = clause
  const asks =
    /^(?:list|ls|show|what|which|how many|count|find|give|print|tree|display|are there|is there|where are)\b/.test(
      lower
    ) || /^(?:files|folder structure|file tree)\b/.test(lower)
  const files =
    /\b(?:files?|folders?|director(?:y|ies)|modules|scripts|structure|tree|everything|contents?)\b|^ls\b|^tree\b/.test(
      lower
    )
  const glob = globIn(clause.masked, clause.spans)
  if (!asks || (!files && glob === null)) return null
  if (
    /\b(?:contain|containing|mention|with the (?:text|word)|that (?:use|uses|import|imports|call|calls))\b/.test(lower)
  )
    return null
  return { kind: 'list', pattern: patternOf(clause), countOnly: /\bhow many\b|^count\b/.test(lower) }
}

function patternOf(clause: Clause): string {
  const { masked, spans, lower } = clause
  const glob = globIn(masked, spans)
  if (glob !== null) return glob.includes('/') ? glob : `**/${glob}`
  const folder = folderIn(masked, spans) ?? clause.paths.find(looksLikeFolder)?.replace(/\/+$/, '') ?? null
  const named = /\b(?:named|called)\s+(\S+)/.exec(masked)?.[1]
  if (named !== undefined) return `**/*${unmask(named, spans)}*`
  const ending = /(?:^|\s)(\.[a-z0-9]{1,8})\s+files?\b/.exec(lower)?.[1]
  const kind = ending === undefined ? globOfKind(clause.text) : `**/*${ending}`
  return folder === null ? (kind ?? '**/*') : `${folder}/${kind ?? '**/*'}`
}

function looksLikeFolder(path: string): boolean {
  return path.endsWith('/') || !/\.[a-z0-9]{1,8}$/i.test(path)
}

function rangeIn(lower: string): { offset: number; limit: number } | null {
  const span = /\blines?\s+(\d{1,6})\s*(?:-|–|to|through|and|until)\s*(\d{1,6})/.exec(lower)
  if (span !== null) {
    const [first, last] = [Math.max(1, Number(span[1])), Number(span[2])]
    return last >= first ? { offset: first, limit: last - first + 1 } : null
  }
  const head = /\bfirst\s+(\d{1,5})\s+lines?|\bhead -n? ?(\d{1,5})/.exec(lower)
  if (head !== null) return { offset: 1, limit: Math.max(1, Number(head[1] ?? head[2])) }
  const one = /\bline\s+(\d{1,6})\b/.exec(lower)
  return one === null ? null : { offset: Math.max(1, Number(one[1]) - 3), limit: 7 }
}
