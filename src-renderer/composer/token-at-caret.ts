// Owns finding the word that asks for a list: `/command` at the start of the text, `@file` (or
// `@"a file` with spaces) anywhere. Pure.

export interface CaretToken {
  readonly kind: 'command' | 'file'
  /** What follows the sign, up to the caret. */
  readonly query: string
  /** Where the sign stands in the text. */
  readonly from: number
  readonly to: number
}

/** The token that ends at the caret, or null. */
export function tokenAtCaret(text: string, caret: number): CaretToken | null {
  const before = text.slice(0, caret)
  const command = /^\/([\p{L}\p{M}\p{N}._-]*)$/u.exec(before)
  if (command?.[1] !== undefined) return { kind: 'command', query: command[1], from: 0, to: caret }
  const file = /(?:^|\s)(@"([^"\n]{0,200})|@([^\s@"]{0,200}))$/.exec(before)
  const [, written, quoted, bare] = file ?? []
  if (written === undefined) return null
  return { kind: 'file', query: quoted ?? bare ?? '', from: caret - written.length, to: caret }
}

/** The text after a choice took the token's place, and where the caret then stands. */
export function replaceToken(text: string, token: CaretToken, choice: string): { text: string; caret: number } {
  const rest = text.slice(token.to)
  const inserted = rest.startsWith(' ') ? choice : `${choice} `
  return { text: text.slice(0, token.from) + inserted + rest, caret: token.from + choice.length + 1 }
}
