// Owns turns within one process: tasks run one after the other, in the order in which they were asked for.

export interface Mutex {
  /** Runs `task` when all earlier ones are settled; its failure is the caller's, later tasks go on. */
  run<T>(task: () => Promise<T>): Promise<T>
}

/** Not reentrant: a task that calls `run` of its own mutex and waits for it never ends. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(task) {
      const result = last.then(task, task)
      last = result.then(ignore, ignore)
      return result
    }
  }
}

function ignore(): void {}
