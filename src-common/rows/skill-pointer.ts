// Owns what a settled tool call says of a skill that is about the path it touched (O-5). Rendered once and stored, so
// that a request is built again with the same words.
import { z } from 'zod'

export const SkillPointer = z.looseObject({
  /** The skill's; what counts as pointed out goes by it. */
  name: z.string(),
  /** As it is sent behind the tool's result. */
  text: z.string()
})
export type SkillPointer = z.infer<typeof SkillPointer>

const SkillPointers = z.array(SkillPointer)

/** The pointers that a part's `skillPointers` holds; none where it is missing or has another form. */
export function readSkillPointers(stored: unknown): SkillPointer[] {
  if (stored === undefined) return []
  const pointers = SkillPointers.safeParse(stored)
  return pointers.success ? pointers.data : []
}
