// Owns what a terminal's output reads like without a terminal: colours and cursor moves go, a line that
// overwrote itself shows its last state. Pure.
/* oxlint-disable no-control-regex -- these are the control sequences themselves (ECMA-48) */

const SEQUENCES =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]*[0-~])/g
/** What is left of control characters says nothing to a reader. */
const CONTROLS = /[\u0000-\u0007\u000b\u000c\u000e-\u001f\u007f]/g

/** The text of a terminal's output. */
export function terminalText(output: string): string {
  let text = output.includes('\u001b') ? output.replace(SEQUENCES, '') : output
  if (text.includes('\r')) text = text.replaceAll('\r\n', '\n').split('\n').map(lastState).join('\n')
  return text.replace(CONTROLS, '')
}

/** What a line shows after its carriage returns: each writes over the beginning of what stood before. */
function lastState(line: string): string {
  if (!line.includes('\r')) return line
  return line.split('\r').reduce((shown, next) => next + shown.slice(next.length), '')
}
