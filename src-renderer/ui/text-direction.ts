// Owns the direction of a block that holds blocks of their own direction (a list, a quote, a table), which
// `dir="auto"` passes over: that of the first letter that has one. Pure.

const FIRST_STRONG =
  /(?<rtl>\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko})|\p{L}/u

/** `rtl` for a text that begins in a right-to-left script, else `ltr`. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  return FIRST_STRONG.exec(text)?.groups?.['rtl'] === undefined ? 'ltr' : 'rtl'
}
