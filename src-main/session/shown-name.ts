// Owns how a path of the project reads inside of a text for the model. Pure.

/** The path, or in quotes with escapes where a character of it would break the line or mislead. */
export function shownName(path: string): string {
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"]|^\s|\s$/u.test(path)) return path
  return JSON.stringify(path).replaceAll(
    /[\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`
  )
}
