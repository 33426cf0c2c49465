// Owns where the collapse state is remembered: the window's own storage, under the app's home. What is
// stored is untrusted: anything odd counts as the default.
import { z } from 'zod'
import type { Layout } from './app-state'

const KEY = 'tidemark.layout'
const Stored = z.object({ sidebarShown: z.boolean(), panelShown: z.boolean() })
const DEFAULT: Layout = { sidebarShown: true, panelShown: true, sheet: null }

/** The layout of last time. */
export function rememberedLayout(): Layout {
  try {
    const stored = Stored.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
    return stored.success ? { ...stored.data, sheet: null } : DEFAULT
  } catch (error) {
    // Storage may be denied, or hold something else: both mean that nothing is remembered.
    console.warn('The layout could not be read.', error)
    return DEFAULT
  }
}

export function rememberLayout(layout: Layout): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(Stored.parse(layout)))
  } catch (error) {
    console.warn('The layout could not be remembered.', error)
  }
}
