// Owns the strictest reading of a command line: words and quotes and nothing that a shell would act on. Pure.

/** Characters that no shell treats specially, or quotes around text without expansions. */
const PLAIN_WORD = /(?:[\w@%+=:,./-]|'[^'\n]*'|"[^"$`\\!\n]*")+/y

/**
 * The words of one plain command without its quotes, or null when it holds anything else: operators,
 * redirections, expansions, globs, assignments before it, comments, line ends.
 */
export function plainWordsOf(command: string): string[] | null {
  const text = command.trim()
  const words: string[] = []
  for (let at = 0; at < text.length;) {
    PLAIN_WORD.lastIndex = at
    const word = PLAIN_WORD.exec(text)?.[0]
    if (word === undefined) return null
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'))
    at += word.length
    const gap = /^[ \t]+/.exec(text.slice(at))?.[0]
    if (gap === undefined && at < text.length) return null
    at += gap?.length ?? 0
  }
  return words.length === 0 || words[0]?.includes('=') ? null : words
}
