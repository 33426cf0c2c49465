// Owns config.json: the person's settings, read tolerantly, changed one value at a time.
// Fields that this version does not know, comments and layout survive every change.
import type { Clock } from '@common/clock'
import { type Result, err, ok } from '@common/result'
import { Settings } from '@common/settings/settings-schema'
import type { Log } from '../files/log'
import { ConfigFile, type ConfigWriteError } from './config-file'
import type { ConfigProblem } from './config-text'
import { checkSetting, settingAt, settingPathOf } from './setting-path'

export interface SettingsStore {
  settings(): Settings
  problems(): readonly ConfigProblem[]
  /** The value at a dotted path; the error is a sentence for a person and lists the known keys. */
  get(dottedPath: string): Result<unknown, ConfigWriteError>
  /** Sets one value; undefined puts the default back. */
  set(dottedPath: string, value: unknown): Promise<Result<Settings, ConfigWriteError>>
  /** As `set`, for a value typed on the command line: read as JSON where that fits, else as text. */
  setFromText(dottedPath: string, text: string): Promise<Result<Settings, ConfigWriteError>>
  /** Computes the new value from the one on disk, so that two processes do not lose each other's change. */
  update<Key extends keyof typeof Settings.shape>(
    key: Key,
    change: (current: Settings[Key]) => Settings[Key]
  ): Promise<Result<Settings, ConfigWriteError>>
  /** Holds a value for this run alone while the file is broken, and so cannot take it. */
  holdUntilRepaired<Key extends keyof typeof Settings.shape>(key: Key, value: Settings[Key]): void
  /** Reads the file again; true when somebody else changed it. */
  refresh(): boolean
  /** Copies a broken file aside and starts afresh; only at the person's wish. */
  acceptDefaults(): Promise<Result<Settings, ConfigWriteError>>
  subscribe(listener: (settings: Settings) => void): () => void
}

/** Opens the settings at `path` (`AppPaths.config`). Never fails for what the file holds: see `problems`. */
export function openSettingsStore(path: string, seams: { log: Log; clock: Clock }): SettingsStore {
  const file = new ConfigFile<Settings>(path, Settings, seams)
  let held: Partial<Settings> = {}

  function settings(): Settings {
    const isBroken = file.problems().some((problem) => problem.kind === 'broken')
    return isBroken ? { ...file.value(), ...held } : file.value()
  }

  async function set(dottedPath: string, value: unknown): Promise<Result<Settings, ConfigWriteError>> {
    const setting = settingPathOf(dottedPath)
    if (!setting.ok) return invalid(setting.error)
    if (value !== undefined) {
      const checked = checkSetting(dottedPath, setting.value, value)
      if (!checked.ok) return invalid(checked.error)
    }
    const { path } = setting.value
    const index = path.findIndex((key) => typeof key === 'number')
    return file.edit((current, _raw, problems) => {
      if (index === -1) return ok([{ path, value }])
      if (settingAt(current, path.slice(0, index + 1)) === undefined) {
        return invalid(`There is no ${dottedPath}: the list is shorter.`)
      }
      // Indexes count valid elements; with one passed over they would name another element of the file.
      const shifted = problems.find((problem) => elementIndexOf(problem, String(path[0])) !== null)
      return shifted === undefined
        ? ok([{ path, value }])
        : invalid(`Nothing was saved. Repair this first: ${shifted.message}`)
    })
  }

  return {
    settings,
    problems: () => file.problems(),
    get(dottedPath) {
      const setting = settingPathOf(dottedPath)
      return setting.ok ? ok(settingAt(file.value(), setting.value.path)) : invalid(setting.error)
    },
    set,
    setFromText(dottedPath, text) {
      const setting = settingPathOf(dottedPath)
      if (!setting.ok) return Promise.resolve(invalid(setting.error))
      const asJson = parseJson(text)
      const fits = asJson !== undefined && checkSetting(dottedPath, setting.value, asJson).ok
      return set(dottedPath, fits || !setting.value.schema.safeParse(text).success ? (asJson ?? text) : text)
    },
    update(key, change) {
      return file.edit((current, raw, problems) => {
        const value = change(current[key])
        const setting = settingPathOf(key)
        if (!setting.ok) return invalid(setting.error)
        const checked = checkSetting(key, setting.value, value)
        if (!checked.ok) return invalid(checked.error)
        return ok([{ path: [key], value: withPassedOver(value, key, raw, problems) }])
      })
    },
    holdUntilRepaired: (key, value) => void (held = { ...held, [key]: value }),
    refresh: () => file.refresh(),
    acceptDefaults: () => file.acceptDefaults(),
    subscribe: (listener) => file.subscribe(listener)
  }
}

function invalid(message: string): Result<never, ConfigWriteError> {
  return err({ kind: 'invalid', message })
}

/** The new list plus those elements of the file that could not be read: they are kept, not dropped. */
function withPassedOver(value: unknown, key: string, raw: unknown, problems: readonly ConfigProblem[]): unknown {
  if (!Array.isArray(value) || typeof raw !== 'object' || raw === null) return value
  const list: unknown = Reflect.get(raw, key)
  if (!Array.isArray(list)) return value
  const kept = problems.flatMap((problem): unknown[] => {
    const index = elementIndexOf(problem, key)
    return index === null ? [] : [list[index]]
  })
  return [...(value as unknown[]), ...kept]
}

/** Index of the list element that a problem passed over as a whole, or null. */
function elementIndexOf(problem: ConfigProblem, key: string): number | null {
  const match = /^([^.]+)\.(\d+)$/.exec(problem.path)
  return match?.[1] === key ? Number(match[2]) : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}
