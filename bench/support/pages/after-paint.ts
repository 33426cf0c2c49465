// Owns the moment after a paint: a frame, then a message, which comes once the frame is on its way to the screen.

/** Resolves after the next paint. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => void nextTask().then(resolve)))
}

/** Resolves in a task of its own; called inside of a frame, after its paint. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
}
