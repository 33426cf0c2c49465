// Owns the choices of the `/` menu: each command, alone and with what may follow it, and each skill. Pure.
import type { CommandView } from '@common/contract/window-views'

export interface SlashCommand {
  /** As it is typed, without the slash. */
  readonly name: string
  readonly description: string
}

/** `/clear [--soft]` is offered as `/clear` and as `/clear --soft`. */
export function slashCommandsOf(commands: readonly CommandView[]): SlashCommand[] {
  return commands.flatMap(({ kind, name, arguments: following, description }) => {
    const word = name.replace(/^\//u, '')
    if (kind === 'skill') return [{ name: word, description: `Skill: ${description}` }]
    const option = /^\[(--[\w-]+)\]$/u.exec(following)?.[1]
    const [plain = description, withOption] = option === undefined ? [description] : splitAt(description, option)
    const alone = { name: word, description: plain }
    return option === undefined ? [alone] : [alone, { name: `${word} ${option}`, description: withOption ?? plain }]
  })
}

/** A description that says `With OPTION …` at its end is told in two; any other is told of both. */
function splitAt(description: string, option: string): [string, string] {
  const at = description.indexOf(`With ${option} `)
  if (at === -1) return [description, description]
  const rest = description.slice(at + `With ${option} `.length)
  return [description.slice(0, at).trim(), rest.charAt(0).toUpperCase() + rest.slice(1)]
}
