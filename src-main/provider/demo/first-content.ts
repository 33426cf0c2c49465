// Owns the first content of a file whose text nobody gave: the smallest thing of its kind that works. The
// demo writes no programs, and says so where one is wanted.
import { languageOf } from './describe-source'

/** A content for `path` from the words of the wish ("hello.py that prints hi"). Ends with a line end. */
export function firstContent(path: string, wish: string): string {
  const words = wordsOf(wish, path)
  const text = JSON.stringify(words)
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  switch (languageOf(path)) {
    case 'Python':
    case 'Lua':
      return `print(${text})\n`
    case 'JavaScript':
    case 'TypeScript':
      return `console.log(${text})\n`
    case 'shell':
      return `#!/bin/sh\nprintf '%s\\n' ${shellQuoted(words)}\n`
    case 'Ruby':
      return `puts ${text}\n`
    case 'PHP':
      return `<?php\necho ${text}, PHP_EOL;\n`
    case 'Rust':
      return `fn main() {\n    println!("{}", ${text});\n}\n`
    case 'Go':
      return `package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println(${text})\n}\n`
    case 'JSON':
      return `{\n  "name": ${JSON.stringify(name)}\n}\n`
    case 'HTML':
      return `<!doctype html>\n<meta charset="utf-8">\n<title>${name}</title>\n<p>${escapeHtml(words)}</p>\n`
    case 'Markdown':
      return `# ${name}\n\n${words}\n`
    default:
      return `${words}\n`
  }
}

/** What is to be printed or said: after "prints", "says", "that"; a greeting where nothing is named. */
function wordsOf(wish: string, path: string): string {
  const said =
    /\b(?:prints?|logs?|outputs?|says?|echoes|echo|shows?|displays?)\s+(?:the\s+)?(?:text\s+|words?\s+|message\s+)?(.+)$/is.exec(
      wish
    )?.[1]
  const plain = (said ?? wish).trim()
  const isRequest = said === undefined && (plain.includes(path) || /^(?:create|write|make|add|generate)\b/i.test(plain))
  if (isRequest || plain === '') return 'Hello from Tidemark'
  return plain.replace(/[.!]$/, '').slice(0, 500)
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
