// Owns the direction of a block that holds blocks of their own direction (a list, a quote, a table), which
// `dir="auto"` passes over: that of the first letter that has one. Pure.

const FIRST_STRONG =
  /[A-Za-z\u00aa-\u02b8\u0370-\u058f\u0900-\u1fff\u2c00-\ud7ff\uf900-\ufb1c]|([\u0590-\u08ff\ufb1d-\ufdfd\ufe70-\ufefc])/

/** `rtl` for a text that begins in a right-to-left script, else `ltr`. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  return FIRST_STRONG.exec(text)?.[1] === undefined ? 'ltr' : 'rtl'
}
