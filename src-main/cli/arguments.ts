// Owns reading a command's arguments: the platform's own parser, with our words for what is wrong.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'

type OptionTable = NonNullable<ParseArgsConfig['options']>
type Values<Options extends OptionTable> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>['values']

export interface ParsedArguments<Options extends OptionTable> {
  readonly values: Values<Options>
  readonly positionals: readonly string[]
}

/** Parses strictly: an unknown flag or a missing value is an error in words. */
export function parseCommand<const Options extends OptionTable>(
  args: readonly string[],
  options: Options
): Result<ParsedArguments<Options>, string> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    return ok({ values, positionals })
  } catch (error) {
    if (error instanceof TypeError && 'code' in error) return err(error.message.replace(/\. To specify.*$/s, '.'))
    throw error
  }
}

/** A path as the caller means it: npm runs scripts elsewhere and tells the caller's folder in INIT_CWD. */
export function callerPath(path: string, environment: Readonly<Record<string, string | undefined>>): string {
  return resolve(environment['INIT_CWD'] ?? process.cwd(), path)
}
