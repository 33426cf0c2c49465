// Owns taking a command line apart as a shell would, far enough to see every command in it: behind `;`, `&&`,
// pipes, in subshells, substitutions and here-documents, with quotes and escapes undone. Pure; it runs nothing.
// What it cannot read it says; the caller then assumes the worst.

export interface ShellWord {
  /** Quotes and escapes undone; expansions as they are written. */
  readonly text: string
  /** True when the shell would put something else there: a variable, a substitution, braces. */
  readonly isDynamic: boolean
  /** True when it holds `$(…)`, backticks or `<(…)`: text that another command prints. */
  readonly hasSubstitution: boolean
}

export interface SimpleCommand {
  readonly words: ShellWord[]
  readonly redirects: { readonly operator: string; readonly target: ShellWord }[]
  /** Bodies of here-documents and here-strings. */
  readonly inputs: string[]
  /** True when the output of the command before it is its input. */
  readonly isPiped: boolean
}

export interface ShellScript {
  /** Every command, those in substitutions and subshells too, in no promised order. */
  readonly commands: readonly SimpleCommand[]
  /** Why it could not be read to its end, or null. */
  readonly problem: string | null
}

const MAX_DEPTH = 16

/** Reads a command line. Never throws. */
export function parseShell(text: string): ShellScript {
  const commands: SimpleCommand[] = []
  const problem = new ShellReader(text, commands, 0).read()
  return { commands: commands.filter((command) => command.words.length + command.redirects.length > 0), problem }
}

interface PendingBody {
  readonly delimiter: string
  readonly isQuoted: boolean
  readonly stripTabs: boolean
  readonly command: SimpleCommand
}

interface WordParts {
  text: string
  isDynamic: boolean
  hasSubstitution: boolean
}

function emptyCommand(isPiped: boolean): SimpleCommand {
  return { words: [], redirects: [], inputs: [], isPiped }
}

class ShellReader {
  readonly #text: string
  readonly #commands: SimpleCommand[]
  readonly #depth: number
  #at = 0
  #current = emptyCommand(false)
  #bodies: PendingBody[] = []
  #problem: string | null = null

  constructor(text: string, commands: SimpleCommand[], depth: number) {
    this.#text = text
    this.#commands = commands
    this.#depth = depth
  }

  read(): string | null {
    if (this.#depth > MAX_DEPTH) return 'it is nested too deeply'
    while (this.#at < this.#text.length && this.#problem === null) this.#step()
    this.#endCommand(false)
    return this.#problem
  }

  #step(): void {
    const char = this.#text[this.#at] ?? ''
    const next = this.#text[this.#at + 1]
    if (char === ' ' || char === '\t' || char === '\r') this.#at++
    else if (char === '\\' && next === '\n') this.#at += 2
    else if (char === '#') this.#skipComment()
    else if (char === '\n') this.#endLine()
    else if (char === '<' || char === '>' || (char === '&' && next === '>')) this.#redirect()
    else if (char === ';' || char === '&' || char === '|' || char === '(' || char === ')') this.#operator()
    else this.#takeWord()
  }

  #skipComment(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end === -1 ? this.#text.length : end
  }

  #operator(): void {
    const operator = /^(?:\|&|\|\||&&|;;|[;&|()])/.exec(this.#text.slice(this.#at, this.#at + 2))?.[0] ?? ';'
    this.#at += operator.length
    this.#endCommand(operator === '|' || operator === '|&')
  }

  #endCommand(nextIsPiped: boolean): void {
    this.#commands.push(this.#current)
    this.#current = emptyCommand(nextIsPiped)
  }

  #endLine(): void {
    this.#at++
    // After a pipe the command goes on in the next line.
    if (this.#current.words.length > 0 || this.#current.redirects.length > 0) this.#endCommand(false)
    for (const body of this.#bodies) this.#readBody(body)
    this.#bodies = []
  }

  #readBody({ delimiter, isQuoted, stripTabs, command }: PendingBody): void {
    const lines: string[] = []
    while (this.#at < this.#text.length) {
      const end = this.#text.indexOf('\n', this.#at)
      const line = this.#text.slice(this.#at, end === -1 ? undefined : end)
      this.#at = end === -1 ? this.#text.length : end + 1
      const plain = stripTabs ? line.replace(/^\t+/, '') : line
      if (plain === delimiter) break
      lines.push(plain)
    }
    const body = lines.join('\n')
    command.inputs.push(body)
    if (!isQuoted) this.#readSubstitutionsIn(body)
  }

  #redirect(): void {
    const rest = this.#text.slice(this.#at, this.#at + 3)
    if (rest.startsWith('<(') || rest.startsWith('>(')) {
      this.#takeWord()
      return
    }
    const operator = /^(?:&>>|&>|<<<|<<-|<<|<>|<&|>>|>\||>&|<|>)/.exec(rest)?.[0] ?? '>'
    this.#at += operator.length
    this.#skipBlanks()
    const start = this.#at
    const target = this.#word()
    if (operator === '<<' || operator === '<<-') {
      const isQuoted = /['"\\]/.test(this.#text.slice(start, this.#at))
      this.#bodies.push({ delimiter: target.text, isQuoted, stripTabs: operator === '<<-', command: this.#current })
    } else if (operator === '<<<') this.#current.inputs.push(target.text)
    else this.#current.redirects.push({ operator, target })
  }

  #skipBlanks(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at++
  }

  #takeWord(): void {
    const word = this.#word()
    // The number of a descriptor belongs to the redirection behind it.
    const isDescriptor = /^\d+$/.test(word.text) && /[<>]/.test(this.#text[this.#at] ?? '')
    if (!isDescriptor) this.#current.words.push(word)
  }

  #word(): ShellWord {
    const parts: WordParts = { text: '', isDynamic: false, hasSubstitution: false }
    let isBraced = false
    while (this.#at < this.#text.length && this.#problem === null) {
      const char = this.#text[this.#at] ?? ''
      const isProcess = (char === '<' || char === '>') && this.#text[this.#at + 1] === '('
      if (isProcess) this.#substitution(parts, 2)
      else if (/[ \t\r\n;&|()<>]/.test(char)) break
      else if (char === '\\') this.#escaped(parts)
      else if (char === "'") parts.text += this.#until("'", 1)
      else if (char === '"') this.#doubleQuoted(parts)
      else if (char === '$') this.#dollar(parts)
      else if (char === '`') this.#backticks(parts)
      else {
        isBraced ||= char === '{'
        parts.isDynamic ||= isBraced && (char === ',' || (char === '.' && this.#text[this.#at + 1] === '.'))
        parts.text += char
        this.#at++
      }
    }
    return parts
  }

  #escaped(parts: WordParts): void {
    const next = this.#text[this.#at + 1]
    if (next !== '\n') parts.text += next ?? ''
    this.#at += 2
  }

  /** The text up to an unescaped `close`; `skip` is how long the opening is. */
  #until(close: string, skip: number): string {
    const start = this.#at + skip
    const end = this.#text.indexOf(close, start)
    if (end === -1) this.#problem = `a ${close} is never closed`
    this.#at = end === -1 ? this.#text.length : end + close.length
    return this.#text.slice(start, end === -1 ? undefined : end)
  }

  #doubleQuoted(parts: WordParts): void {
    this.#at++
    while (this.#at < this.#text.length && this.#problem === null) {
      const char = this.#text[this.#at] ?? ''
      if (char === '"') {
        this.#at++
        return
      }
      if (char === '\\' && /["$`\\\n]/.test(this.#text[this.#at + 1] ?? '')) this.#escaped(parts)
      else if (char === '$' && !/['"]/.test(this.#text[this.#at + 1] ?? '')) this.#dollar(parts)
      else if (char === '`') this.#backticks(parts)
      else {
        parts.text += char
        this.#at++
      }
    }
    this.#problem ??= 'a " is never closed'
  }

  #dollar(parts: WordParts): void {
    const next = this.#text[this.#at + 1] ?? ''
    if (next === "'") parts.text += this.#ansiQuoted()
    else if (next === '"') this.#at++
    else if (next === '(') this.#substitution(parts, 2)
    else if (next === '{') this.#parameter(parts)
    else {
      parts.isDynamic ||= /[\w@*#?$!-]/.test(next)
      parts.text += '$'
      this.#at++
    }
  }

  #ansiQuoted(): string {
    const match = /^\$'((?:[^'\\]|\\[\s\S])*)'/.exec(this.#text.slice(this.#at))
    if (match === null) {
      this.#problem = "a ' is never closed"
      return ''
    }
    this.#at += match[0].length
    return (match[1] ?? '').replace(ANSI_ESCAPE, decodeAnsi)
  }

  #parameter(parts: WordParts): void {
    const start = this.#at
    let depth = 0
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]
      if (char === '{') depth++
      else if (char === '}' && --depth === 0) break
    }
    this.#at++
    const raw = this.#text.slice(start, this.#at)
    parts.text += raw
    parts.isDynamic = true
    if (this.#readSubstitutionsIn(raw.slice(2, -1))) parts.hasSubstitution = true
  }

  /** `$(…)`, `<(…)`: what is inside is read as a script of its own. */
  #substitution(parts: WordParts, opening: number): void {
    const start = this.#at + opening
    const end = closingParenthesis(this.#text, start)
    if (end === -1) this.#problem = 'a ( is never closed'
    const inner = this.#text.slice(start, end === -1 ? undefined : end)
    parts.text += this.#text.slice(this.#at, end === -1 ? undefined : end + 1)
    this.#at = end === -1 ? this.#text.length : end + 1
    this.#nested(inner)
    parts.isDynamic = true
    parts.hasSubstitution = true
  }

  #backticks(parts: WordParts): void {
    const match = /^`((?:[^`\\]|\\[\s\S])*)`/.exec(this.#text.slice(this.#at))
    if (match === null) {
      this.#problem = 'a ` is never closed'
      return
    }
    this.#at += match[0].length
    this.#nested((match[1] ?? '').replace(/\\([`\\$])/g, '$1'))
    parts.text += match[0]
    parts.isDynamic = true
    parts.hasSubstitution = true
  }

  #nested(script: string): void {
    this.#problem ??= new ShellReader(script, this.#commands, this.#depth + 1).read()
  }

  /** Substitutions inside text that is otherwise not read: a here-document, a parameter. */
  #readSubstitutionsIn(text: string): boolean {
    let found = false
    for (let at = 0; at < text.length; at++) {
      const isBacktick = text[at] === '`'
      if (text[at] === '\\') at++
      if (!isBacktick && !text.startsWith('$(', at)) continue
      const start = at + (isBacktick ? 1 : 2)
      const end = isBacktick ? text.indexOf('`', start) : closingParenthesis(text, start)
      this.#nested(text.slice(start, end === -1 ? undefined : end))
      found = true
      at = end === -1 ? text.length : end
    }
    return found
  }
}

/** Index of the `)` that closes, quotes and inner pairs passed over, or -1. */
function closingParenthesis(text: string, start: number, nesting = 0): number {
  if (nesting > MAX_DEPTH) return -1
  let depth = 1
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === "'") {
      at = text.indexOf("'", at + 1)
      if (at === -1) return -1
    } else if (char === '"') {
      at = closingQuote(text, at + 1, nesting)
      if (at === -1) return -1
    } else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return at
  }
  return -1
}

function closingQuote(text: string, start: number, nesting: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
    else if (text[at] === '$' && text[at + 1] === '(') {
      at = closingParenthesis(text, at + 2, nesting + 1)
      if (at === -1) return -1
    }
  }
  return -1
}

const ANSI_ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|([\s\S]))/g

function decodeAnsi(all: string, hex?: string, unicode?: string, octal?: string, char?: string): string {
  if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16))
  if (unicode !== undefined) return String.fromCharCode(parseInt(unicode, 16))
  if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8))
  const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\u001b' }
  return named[char ?? ''] ?? char ?? all
}
