// Owns what is opened in the transcript: remembered outside of the rows, since a row that scrolls away is unmounted.
import { createContext, useContext, useState } from 'react'

/** Opened or closed by the person, by the id of the thing. Lives as long as the transcript. */
export type DisclosureMemory = Map<string, boolean>

export const DisclosureContext = createContext<DisclosureMemory>(new Map())

/** Whether the thing with this id is open, and what turns it. */
export function useDisclosure(id: string, initially = false): readonly [open: boolean, turn: () => void] {
  const memory = useContext(DisclosureContext)
  const [chosen, setChosen] = useState(() => memory.get(id))
  const open = chosen ?? initially
  const turn = () => {
    memory.set(id, !open)
    setChosen(!open)
  }
  return [open, turn]
}
