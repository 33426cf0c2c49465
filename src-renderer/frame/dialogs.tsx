// Owns the dialogs over the frame. Nobody sees one at a start, so each comes as a chunk of its own: read ahead when
// the page has nothing else to do, mounted when it is first opened, and kept for its way out.
import { lazy, Suspense, useEffect, useState } from 'react'
import { useAppState } from '../store/app-context'
import type { OpenDialog } from '../store/app-state'

const CHUNKS = {
  settings: () => import('../settings/settings-container'),
  palette: () => import('../command-palette/palette-container'),
  shortcuts: () => import('../command-palette/shortcuts-dialog'),
  inspector: () => import('../inspector/inspector-container')
}

const Settings = lazy(async () => ({ default: (await CHUNKS.settings()).SettingsContainer }))
const Palette = lazy(async () => ({ default: (await CHUNKS.palette()).PaletteContainer }))
const Shortcuts = lazy(async () => ({ default: (await CHUNKS.shortcuts()).ShortcutsDialog }))
const Inspector = lazy(async () => ({ default: (await CHUNKS.inspector()).InspectorContainer }))

/** An idle moment comes within this, or the chunks are read in a busy one. */
const READ_AHEAD_LIMIT_MS = 5_000

export function Dialogs() {
  const open = useAppState((state) => state.dialog?.kind ?? null)
  const [opened, setOpened] = useState<ReadonlySet<OpenDialog['kind']>>(new Set())
  if (open !== null && !opened.has(open)) setOpened(new Set([...opened, open]))
  useEffect(() => {
    const handle = requestIdleCallback(
      () => void Promise.all(Object.values(CHUNKS).map((load) => load())).catch(reportMissing),
      { timeout: READ_AHEAD_LIMIT_MS }
    )
    return () => cancelIdleCallback(handle)
  }, [])
  // A border each: one that is still being read hides none that is open.
  return (
    <>
      <Suspense fallback={null}>{opened.has('settings') && <Settings />}</Suspense>
      <Suspense fallback={null}>{opened.has('palette') && <Palette />}</Suspense>
      <Suspense fallback={null}>{opened.has('shortcuts') && <Shortcuts />}</Suspense>
      <Suspense fallback={null}>{opened.has('inspector') && <Inspector />}</Suspense>
    </>
  )
}

/** Opening the dialog will fail in view; here it is only told. */
function reportMissing(error: unknown): void {
  console.error('A part of the app could not be read:', error)
}
