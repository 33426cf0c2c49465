// Owns what the app's command line says. Pure.
import { resolve } from 'node:path'

export interface LaunchArguments {
  /** Absolute path of the project to open without a dialog, or null. */
  readonly projectPath: string | null
}

/**
 * Reads `--project DIR` or `--project=DIR`. A relative path counts from the folder of the call,
 * which npm leaves in INIT_CWD because it runs scripts in the package's folder.
 */
export function launchArgumentsOf(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  currentFolder: string
): LaunchArguments {
  const index = args.findIndex((arg) => arg === '--project' || arg.startsWith('--project='))
  const given = args[index]?.slice('--project='.length) || args[index + 1]
  if (index < 0 || !given || given.startsWith('--')) return { projectPath: null }
  return { projectPath: resolve(environment['INIT_CWD'] || currentFolder, given) }
}
