// Owns the small forms of the demo's answers: numbers, lists, quotes of files. Pure.

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** A fenced block that no line of its content can close. */
export function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((match) => match[0].length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${text}\n${ticks}`
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

export function joined(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? ''
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** Lines that fit into `maxLines` and `maxChars`, and how many were left out. */
export function head(lines: readonly string[], maxLines: number, maxChars: number): { text: string; left: number } {
  const kept: string[] = []
  let chars = 0
  for (const line of lines.slice(0, maxLines)) {
    const short = line.length > 400 ? `${line.slice(0, 400)}…` : line
    if (chars + short.length > maxChars && kept.length > 0) break
    kept.push(short)
    chars += short.length + 1
  }
  return { text: kept.join('\n'), left: lines.length - kept.length }
}

export function quoteOf(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `“${line.length > maxChars ? `${line.slice(0, maxChars).trimEnd()}…` : line}”`
}
