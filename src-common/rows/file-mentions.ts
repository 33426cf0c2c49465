// Owns how a person's text names a file of the project: `@src/a.ts`, or `@"a file.md"` where a bare word would not
// do. Pure; whether there is such a file is for others to find out.

/** After white space or an opening sign, so that an address is none. */
const MENTION = /(?<=^|[\s([{<"'`])@(?:"([^"\n]{1,400})"|([^\s@"]{1,400}))/g

/** What a sentence may put right behind a path. */
const CLOSING = /[.,;:!?)\]}>'`…]$/u

/** What each mention may mean, in the order of the text: the path as written, then without closing punctuation. */
export function fileMentionsOf(text: string): string[][] {
  return [...text.matchAll(MENTION)].map(([, quoted, bare]) => (quoted === undefined ? formsOf(bare ?? '') : [quoted]))
}

function formsOf(written: string): string[] {
  const forms = [written]
  for (let path = written; CLOSING.test(path) && path.length > 1;) forms.push((path = path.slice(0, -1)))
  return forms
}

/** The mention of a path, as `fileMentionsOf` reads it back. */
export function fileMention(path: string): string {
  return /[\s@"]/.test(path) || CLOSING.test(path) ? `@"${path}"` : `@${path}`
}
