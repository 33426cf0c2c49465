// Owns the cutting of a text to a number of characters, with a marker that says what was cut (K-3). Pure.

/** The text, or its beginning and the marker in `room` UTF-16 units; empty where not even the marker fits. */
export function cutText(text: string, room: number, what: string): string {
  if (text.length <= room) return text
  const marker = `\n[Cut here: ${what}, ${text.length} characters in all.]`
  if (marker.length > room) return ''
  const head = text.slice(0, room - marker.length)
  // Never between the halves of a pair.
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}${marker}`
}
