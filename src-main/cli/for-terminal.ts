// Owns that nothing a model, a file or a provider said can act on the terminal that shows it: no escape
// sequence, no carriage return over what was there, no reversed text. What would act is shown instead.

/* eslint-disable no-control-regex -- control characters are what this file is about */
const ACTING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The text with every character that would act on a terminal made visible; new lines and tabs stay. */
export function forTerminal(text: string): string {
  return text.replace(ACTING, pictureOf)
}

/** The character that Unicode has for showing it, or its code. */
function pictureOf(acting: string): string {
  const code = acting.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}
