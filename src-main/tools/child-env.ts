// Owns the environment of child processes: the app's own without what names or holds a provider's key (O-2).

/** Variables of Electron that would change how a child program behaves. */
const INTERNAL = new Set(['ELECTRON_RUN_AS_NODE', 'ELECTRON_NO_ASAR'])

/** A value shorter than this is no key; comparing it would drop `1` or `true`. */
const MIN_SECRET_CHARS = 8

/**
 * `secretNames` are the variables that provider entries read their keys from, and the usual ones;
 * a variable that holds the same value under another name goes too. Names count without letter case,
 * as Windows takes them.
 */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  secretNames: readonly string[]
): Record<string, string> {
  const names = new Set(secretNames.map((name) => name.toUpperCase()))
  const isSecretName = (name: string): boolean => names.has(name.toUpperCase())
  const secrets = new Set(
    Object.entries(environment).flatMap(([name, value]) =>
      isSecretName(name) && value !== undefined && value.length >= MIN_SECRET_CHARS ? [value] : []
    )
  )
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || isSecretName(name) || INTERNAL.has(name.toUpperCase()) || secrets.has(value)) continue
    kept[name] = value
  }
  return kept
}
