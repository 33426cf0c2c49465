// Owns which skills a window knows of (K-9), from fields of its rows alone, never from a text: those whose words were
// put in, those that a tool's result pointed out (O-5), and those that the window's compaction carried over. Pure.
// There is no other record: a new window, an edit, a fork and a restart need no clearing.
import { z } from 'zod'
import { rowKindOf } from './row-kinds'
import { type Row, toolPartsOf } from './row-schema'
import { readSkillPointers } from './skill-pointer'

const SkillNote = z.looseObject({ source: z.literal('skill'), name: z.string() })

/** Each name once, in the order in which the window came to know it. */
export function skillNamesOf(windowRows: readonly Row[]): string[] {
  return [...new Set(windowRows.flatMap(namesIn))]
}

function namesIn(row: Row): string[] {
  const { machine, postCompactionContext } = row.metadata
  switch (rowKindOf(row)) {
    case 'compaction-summary':
      return postCompactionContext?.skillNames ?? []
    case 'prelude': {
      const note = SkillNote.safeParse(machine)
      return note.success ? [note.data.name] : []
    }
    case 'assistant':
      return toolPartsOf(row).flatMap(({ skillPointers }) => readSkillPointers(skillPointers).map(({ name }) => name))
    default:
      return []
  }
}
