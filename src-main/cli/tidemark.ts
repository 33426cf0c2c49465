// Owns the command line's entry: picks the command, runs it, sets the exit code. No command decides alone
// how the process ends, so that what it printed and appended is out and on disk first.
import { homedir } from 'node:os'
import { appRootOf } from '../files/app-paths'
import type { CommandContext } from './command-context'
import { doctorCommand } from './doctor-command'
import { exportCommand } from './export-command'
import { historyCommand } from './history-command'
import { importCommand } from './import-command'
import { createOutput, EXIT, usageError } from './output'
import { replayVerifyCommand } from './replay-verify-command'
import { runCommand } from './run-command'
import { settingsCommand } from './settings-command'
import { USAGE } from './usage'
import { windowsCommand } from './windows-command'
import { workspacesCommand } from './workspaces-command'

const COMMANDS: Readonly<Record<string, (args: readonly string[], context: CommandContext) => Promise<number>>> = {
  run: runCommand,
  history: historyCommand,
  windows: windowsCommand,
  workspaces: workspacesCommand,
  export: exportCommand,
  import: importCommand,
  settings: settingsCommand,
  'replay-verify': replayVerifyCommand,
  doctor: doctorCommand
}

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv
  const output = createOutput(args.includes('--json'), process)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(USAGE)
    return name === undefined ? EXIT.usage : EXIT.done
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    return usageError(output, 'command', `there is no command “${name}”. Run \`tidemark --help\` for the list.`)
  }
  return command(args, { output, environment: process.env, home: appRootOf(process.env, homedir()) })
}

// A reader that goes away (`| head`) is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

let finished = false
// A command that waits for something that can no longer come must not look like success.
process.on('exit', () => {
  if (!finished) process.exitCode = EXIT.failed
})

void main(process.argv.slice(2)).then(
  (code) => {
    finished = true
    process.exitCode = code
  },
  (bug: unknown) => {
    finished = true
    process.stderr.write(
      `tidemark: a mistake of ours: ${bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)}\n`
    )
    process.exitCode = EXIT.failed
  }
)
