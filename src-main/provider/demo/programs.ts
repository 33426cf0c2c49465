// Owns which words begin a command line when nobody put it in quotes: programs that developers name.

const PROGRAMS =
  'npm|npx|pnpm|yarn|node|python3?|pip3?|pytest|cargo|go (?:test|build|run|vet)|make|git|ls|cat|pwd|echo|tsc|deno|bun|head|tail|wc|grep -|find \\.|ruby|php|java|mvn|gradle|docker|curl|sleep|true|false|exit|for|seq|printf|date|env|which|sh|bash|\\./[\\w./-]+'

/** True where a text reads as a command line by its first word. */
export function beginsWithProgram(text: string): boolean {
  return new RegExp(`^(?:${PROGRAMS})(?:\\s|$)`).test(text)
}

/**
 * Command lines in a text: a line after `$ `, what stands after "run:", and what stands after "run" when it
 * begins with a program. They end with the line, the sentence, or where the sentence asks for something else.
 */
export function commandLinesIn(): RegExp {
  const end = String.raw`(?=[ \t]*$|\.\s+\p{Lu}|\.?[ \t]*$|,?[ \t]+(?:and[ \t]+)?then[ \t]|,?[ \t]+and[ \t]+(?:tell|show|report|give|explain|say|read|finally|list|find|create|write)\b)`
  const asked = String.raw`(?<=\b(?:run|execute)(?::[ \t]+|[ \t]+(?:the command:?[ \t]+)?(?=(?:${PROGRAMS})(?:[ \t]|$))))`
  return new RegExp(String.raw`(?<=^\$ )([^\n]+)$|${asked}([^\n]+?)${end}`, 'gimu')
}
