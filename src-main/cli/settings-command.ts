// Owns `tidemark settings get|set`: keys are dotted paths of config.json.
import { parseCommand } from './arguments'
import { openApp } from './command-context'
import type { CommandContext } from './command-context'
import { EXIT, usageError } from './output'

export async function settingsCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { output } = context
  const parsed = parseCommand(args, { json: { type: 'boolean' } })
  if (!parsed.ok) return usageError(output, 'flag', parsed.error)
  const [verb, key, value, ...rest] = parsed.value.positionals
  if (
    rest.length > 0 ||
    (verb === 'get' ? value !== undefined : verb !== 'set' || key === undefined || value === undefined)
  ) {
    return usageError(output, 'arguments', 'write `settings get [KEY]` or `settings set KEY VALUE`.')
  }
  const app = await openApp(context)
  const { settings } = app.services
  const result =
    verb === 'set'
      ? await settings.setFromText(key ?? '', value ?? '')
      : key === undefined
        ? ({ ok: true, value: settings.settings() } as const)
        : settings.get(key)
  await app.close()
  if (!result.ok) {
    if (result.error.kind === 'invalid') return usageError(output, 'setting', result.error.message)
    output.event({ type: 'error', reason: result.error.kind, message: result.error.message })
    if (!output.json) output.note(`tidemark: ${result.error.message}`)
    return EXIT.failed
  }
  const shown = verb === 'set' ? settings.get(key ?? '') : result
  output.event({ type: 'setting', key: key ?? null, value: shown.ok ? shown.value : null })
  output.text(`${JSON.stringify(shown.ok ? shown.value : null, null, 2)}\n`)
  return EXIT.done
}
