// Owns finding the stored text of a value inside a line of JSON, byte for byte: numbers, spaces and escapes as they
// are there, which a parse would lose. Only for lines that parse. Pure.

/** The text of the value at this path, or null when there is none. The last of two equal names counts, as in a parse. */
export function jsonSlice(line: string, path: readonly (string | number)[]): string | null {
  let at = skipSpace(line, 0)
  for (const step of path) {
    const found = typeof step === 'number' ? elementAt(line, at, step) : memberAt(line, at, step)
    if (found === null) return null
    at = found
  }
  return line.slice(at, valueEnd(line, at))
}

/** Where the value of this member begins; `at` is where its object does. */
function memberAt(line: string, at: number, name: string): number | null {
  if (line[at] !== '{') return null
  let found: number | null = null
  for (let next = skipSpace(line, at + 1); line[next] === '"';) {
    const nameEnd = stringEnd(line, next)
    const isWanted = nameOf(line.slice(next, nameEnd)) === name
    const value = skipSpace(line, skipSpace(line, nameEnd) + 1)
    if (isWanted) found = value
    next = afterComma(line, valueEnd(line, value))
  }
  return found
}

function elementAt(line: string, at: number, index: number): number | null {
  if (line[at] !== '[') return null
  let next = skipSpace(line, at + 1)
  for (let count = 0; line[next] !== ']'; count++) {
    if (count === index) return next
    next = afterComma(line, valueEnd(line, next))
  }
  return null
}

function nameOf(text: string): unknown {
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
}

/** Behind the value that begins at `at`. */
function valueEnd(line: string, at: number): number {
  if (line[at] === '"') return stringEnd(line, at)
  if (line[at] !== '{' && line[at] !== '[') return plainEnd(line, at)
  let depth = 0
  for (let next = at; next < line.length; next++) {
    const sign = line[next]
    if (sign === '"') next = stringEnd(line, next) - 1
    else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return next + 1
  }
  return line.length
}

function plainEnd(line: string, at: number): number {
  let end = at
  while (end < line.length && !',]} \t\r\n'.includes(line[end] ?? '')) end++
  return end
}

/** Behind the closing quote. */
function stringEnd(line: string, at: number): number {
  for (let next = line.indexOf('"', at + 1); next !== -1; next = line.indexOf('"', next + 1)) {
    let slashes = 0
    while (line[next - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return next + 1
  }
  return line.length
}

function afterComma(line: string, at: number): number {
  const next = skipSpace(line, at)
  return line[next] === ',' ? skipSpace(line, next + 1) : next
}

function skipSpace(line: string, at: number): number {
  let next = at
  while (next < line.length && ' \t\r\n'.includes(line[next] ?? '')) next++
  return next
}
