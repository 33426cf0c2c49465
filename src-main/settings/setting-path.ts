// Owns the names of settings as a person writes them: dotted paths of config.json, resolved by the
// schema, and whether a value may stand there. Pure; its refusals list what is allowed.
import { splitModelRef } from '@common/ids'
import { type Result, err, ok } from '@common/result'
import { EXPERIMENT_NAMES, isExperimentName } from '@common/settings/experiments'
import { Settings } from '@common/settings/settings-schema'
import { z } from 'zod'

export interface SettingPath {
  readonly path: (string | number)[]
  readonly schema: z.ZodType
}

/** Resolves a dotted path; below a record the whole rest is one key, since model names hold dots. */
export function settingPathOf(dotted: string): Result<SettingPath, string> {
  const segments = dotted.split('.')
  let schema: z.ZodType = Settings
  const path: (string | number)[] = []
  while (segments.length > 0) {
    const inner = unwrap(schema)
    const segment = segments.shift() ?? ''
    if (inner instanceof z.ZodObject) {
      const field: z.ZodType | undefined = Object.hasOwn(inner.shape, segment) ? inner.shape[segment] : undefined
      if (field === undefined) return err(unknownKey(dotted))
      path.push(segment)
      schema = field
    } else if (inner instanceof z.ZodRecord) {
      const key = [segment, ...segments.splice(0)].join('.')
      const refused = refuseRecordKey(path.join('.'), key)
      if (refused !== null) return err(refused)
      path.push(key)
      schema = inner.valueType as z.ZodType
    } else if (inner instanceof z.ZodArray && /^\d{1,6}$/.test(segment)) {
      path.push(Number(segment))
      schema = inner.element as z.ZodType
    } else return err(unknownKey(dotted))
  }
  return ok({ path, schema })
}

/** Checks a value for its place; the value as the schema reads it, or a sentence with what is allowed. */
export function checkSetting(dotted: string, setting: SettingPath, value: unknown): Result<unknown, string> {
  const parsed = setting.schema.safeParse(value)
  if (!parsed.success) {
    const why = parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': '))
    return err(`${dotted} was not changed: ${why.join('; ')}.`)
  }
  if (dotted === 'defaultModel' && splitModelRef(String(value)) === null) {
    return err('defaultModel was not changed: a model is written PROVIDER:MODEL, as in demo:tide-1.')
  }
  return ok(parsed.data)
}

/** The value at a path, or undefined where it is not set. */
export function settingAt(settings: Settings, path: readonly (string | number)[]): unknown {
  let value: unknown = settings
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** What a person may type after `settings get`, sorted as in the schema. */
export function settingKeys(): string[] {
  return Object.entries(Settings.shape).map(([name, schema]) => {
    const inner = unwrap(schema)
    if (name === 'experiments') return `experiments.${EXPERIMENT_NAMES.join('|')}`
    return inner instanceof z.ZodRecord ? `${name}.PROVIDER:MODEL` : name
  })
}

function unknownKey(dotted: string): string {
  return `There is no setting "${dotted}". Settings: ${settingKeys().join(', ')}.`
}

function refuseRecordKey(record: string, key: string): string | null {
  if (record === 'experiments' && !isExperimentName(key)) {
    return `There is no experiment "${key}". Experiments: ${EXPERIMENT_NAMES.join(', ')}.`
  }
  if (record === 'modelThresholds' && splitModelRef(key) === null) {
    return `"${key}" is no model: write PROVIDER:MODEL, as in demo:tide-1.`
  }
  return null
}

function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) inner = inner.unwrap() as z.ZodType
  return inner
}
