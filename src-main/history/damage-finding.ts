// Owns what `doctor` says of one thing that is wrong, and how it is put right. A finding changes nothing by itself.
import type { Result } from '@common/result'

export interface DamageFinding {
  /** Absolute path of the file that it is about. */
  readonly file: string
  /** From 1; null where it is no matter of one line. */
  readonly line: number | null
  /** What is wrong, and what it means: one or two sentences. */
  readonly problem: string
  /** Where what is there now stays. */
  readonly kept: string
  /** Puts it right and answers where the copy of what was there is; null where nothing can be done. */
  readonly repair: Repair | null
}

/** Findings with the same `key` are put right together, once. */
export interface Repair {
  readonly key: string
  run(): Promise<Result<string, string>>
}
