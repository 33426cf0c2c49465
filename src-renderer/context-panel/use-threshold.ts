// Owns a model's threshold while it is moved: what depends on it follows at once, and main stores where it was left.
import { useState } from 'react'
import type { Settings } from '@common/settings/settings-schema'
import { setModelThreshold } from '../store/actions/context-actions'
import { useApp, useAppState } from '../store/app-context'

export interface ModelThreshold {
  /** Share of the limit; 1 or more is off. */
  readonly threshold: number
  /** The settings as they would be with it. */
  readonly settings: Settings
  /** The model has one of its own. */
  readonly isOwn: boolean
  readonly preview: (threshold: number) => void
  readonly commit: (threshold: number) => void
  /** Takes the default again. */
  readonly reset: () => void
}

export function useModelThreshold(modelRef: string): ModelThreshold {
  const app = useApp()
  const stored = useAppState((state) => state.settings)
  const [moved, setMoved] = useState<{ readonly modelRef: string; readonly threshold: number } | null>(null)
  const own = moved?.modelRef === modelRef ? moved.threshold : stored.modelThresholds[modelRef]
  const settings =
    moved?.modelRef === modelRef
      ? { ...stored, modelThresholds: { ...stored.modelThresholds, [modelRef]: moved.threshold } }
      : stored
  async function store(threshold: number | null): Promise<void> {
    const left = threshold === null ? null : { modelRef, threshold }
    setMoved(left)
    await setModelThreshold(app, modelRef, threshold)
    // Unless the person has moved it again meanwhile.
    setMoved((now) => (now === left ? null : now))
  }
  return {
    threshold: own ?? stored.autoThreshold,
    settings,
    isOwn: own !== undefined,
    preview: (threshold) => setMoved({ modelRef, threshold }),
    commit: (threshold) => void store(threshold),
    reset: () => void store(null)
  }
}
