// Owns what a row records of a file whose content the model was given (O-4): beside a tool's result, on a snapshot
// of a mentioned file, on a notice of changes. Never sent. What the model last saw is read from these alone.
import { z } from 'zod'

export const SeenFile = z.looseObject({
  /** From the project, with forward slashes. */
  path: z.string(),
  /**
   * What was there. `sha256:<hex>`; for a file that is too large to be read whole `size:<bytes>@<mtimeMs>`; where
   * there was no content one of NO_CONTENT.
   */
  content: z.string(),
  /** Of the file when it was looked at; missing where there was none. */
  bytes: z.number().optional(),
  mtimeMs: z.number().optional(),
  ctimeMs: z.number().optional(),
  seenAtMs: z.number(),
  /** The model was given a part of the file only. */
  isPart: z.boolean().optional(),
  /** Of an edit: the content that it was made to. */
  before: z.string().optional()
})
export type SeenFile = z.infer<typeof SeenFile>

/** What stands for the content where there is none to read. */
export type NoContent = 'none' | 'folder' | 'link' | 'special' | 'unreadable'
