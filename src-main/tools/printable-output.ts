// Owns turning a process's bytes into text that is safe to store and show: UTF-8 across chunks, escape
// sequences removed, control characters made visible, lines that were redrawn with a carriage return collapsed.

/** Longer than any real escape sequence that is still open. */
const MAX_HELD_CHARS = 4_096

/** A line without an end is passed on in pieces of this size. */
const MAX_LINE_CHARS = 65_536

/* eslint-disable no-control-regex -- control characters are what this file is about */
const ESCAPES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-Z\\^-~]|\u009b[0-?]*[ -/]*[@-~]/g
const OPEN_ESCAPE = /(?:\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)|\u009b[0-?]*[ -/]*)$/
const OVERSTRUCK = /[^\n\b]\u0008/g
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** Bytes in, printable text out; carriage returns are still in it. */
export interface PrintableDecoder {
  push(bytes: Uint8Array): string
  finish(): string
}

export function createPrintableDecoder(): PrintableDecoder {
  const decoder = new TextDecoder('utf-8')
  let held = ''
  const clean = (text: string, isEnd: boolean): string => {
    const all = held + text
    const open = isEnd ? null : OPEN_ESCAPE.exec(all.slice(-MAX_HELD_CHARS))
    const end = open === null ? all.length : all.length - open[0].length
    held = all.slice(end)
    return all.slice(0, end).replace(ESCAPES, '').replace(OVERSTRUCK, '').replace(CONTROLS, pictureOf)
  }
  return {
    push: (bytes) => clean(decoder.decode(bytes, { stream: true }), false),
    finish: () => clean(decoder.decode(), true)
  }
}

/** The character that Unicode has for showing a control character. */
function pictureOf(control: string): string {
  const code = control.charCodeAt(0)
  if (code === 0x7f) return '\u2421'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd'
}

/** Text in, whole lines out: of a line that was redrawn only its last form. */
export interface LineCollapser {
  push(text: string): string
  finish(): string
}

export function createLineCollapser(): LineCollapser {
  let pending = ''
  return {
    push(text) {
      pending += text
      const end = pending.lastIndexOf('\n') + 1
      let done = pending.slice(0, end)
      pending = pending.slice(end)
      if (pending.length > MAX_LINE_CHARS) {
        // What a later carriage return overwrites is dropped; a line that is really this long goes on.
        const line = lastForm(pending)
        const isRedrawn = line.length < pending.length
        done = collapse(done) + (isRedrawn ? '' : line)
        pending = isRedrawn ? line : ''
        return done
      }
      return collapse(done)
    },
    finish() {
      const rest = lastForm(pending)
      pending = ''
      return rest
    }
  }
}

/** Every line in its last form; for a piece of live output as well. */
export function collapse(text: string): string {
  return text.includes('\r') ? text.split('\n').map(lastForm).join('\n') : text
}

function lastForm(line: string): string {
  if (!line.includes('\r')) return line
  const forms = line.split('\r').filter((form) => form.trim() !== '')
  return forms.at(-1) ?? ''
}
