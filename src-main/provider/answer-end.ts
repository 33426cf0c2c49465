// Owns the end of an event stream whose end is marked: Chat's `[DONE]`, the closing event of Responses. Their adapters
// wait for the end of the connection; a server that keeps it open, or breaks it after the mark, would make a complete
// answer look like a network fault. Here the body ends at the mark, and the connection is read out on the side.

const NEWLINE = 10
/** Longer than any mark: the rest of a line is not looked at. */
const MARK_BYTES = 64
const DONE = /^data: ?\[DONE\]/
/** An event that still has to be read: it is complete with the empty line after it. */
const CLOSING_EVENT = /^data: ?\{"type":"response\.(?:completed|incomplete|failed)"/

/** The same fetch, whose event streams end at their mark. Other bodies pass untouched. */
export function withAnswerEnd(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const isEventStream = response.headers.get('content-type')?.includes('text/event-stream') === true
    if (response.body === null || !isEventStream) return response
    const { status, statusText, headers } = response
    return new Response(upToMark(response.body), { status, statusText, headers })
  }
}

function upToMark(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  const sawMark = createMarkFinder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await reader.read()
      if (next.done) return controller.close()
      controller.enqueue(next.value)
      if (!sawMark(next.value)) return
      controller.close()
      await readOut(reader)
    },
    cancel: (reason) => reader.cancel(reason)
  })
}

/** Says of each chunk whether the answer was complete by its end. Keeps the head of one line only. */
function createMarkFinder(): (chunk: Uint8Array) => boolean {
  const head: number[] = []
  let closing = false
  return (chunk) => {
    for (const byte of chunk) {
      if (byte !== NEWLINE) {
        if (head.length < MARK_BYTES) head.push(byte)
        continue
      }
      const line = String.fromCharCode(...head)
      head.length = 0
      if (DONE.test(line) || (closing && line.trim() === '')) return true
      closing ||= CLOSING_EVENT.test(line)
    }
    return false
  }
}

async function readOut(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read());
  } catch {
    // The answer is complete; how its connection ended changes nothing.
  }
}
