// Owns which characters are the same letter to a search. The rule is Unicode's simple case folding, one character for
// one, as the flags `iu` of an expression have it: K and k are also the Kelvin sign U+212A, S and s the long s U+017F;
// İ U+0130 and ı U+0131 are nobody but themselves; ß is ẞ but not ss.

/** Escapes what has a meaning in an expression. */
export function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Every character that a search takes for this one, itself included. */
export function foldVariants(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return asciiVariants(character)
  const same = new RegExp(`^${escapeExpression(character)}$`, 'iu')
  const others = caseCharacters().filter((other) => other !== character && same.test(other))
  return [character, ...others]
}

function asciiVariants(character: string): readonly string[] {
  if (!/[a-z]/i.test(character)) return [character]
  const lower = character.toLowerCase()
  const other = character === lower ? character.toUpperCase() : lower
  if (lower === 'k') return [character, other, '\u212a']
  return lower === 's' ? [character, other, '\u017f'] : [character, other]
}

let known: readonly string[] | null = null

/** All characters that have another case; found once, when the first such query comes (some milliseconds). */
function caseCharacters(): readonly string[] {
  if (known !== null) return known
  const hasCase = /[\p{Changes_When_Casefolded}\p{Changes_When_Casemapped}]/u
  const found: string[] = []
  for (let code = 0x41; code <= 0x1_ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (hasCase.test(character)) found.push(character)
  }
  known = found
  return found
}
