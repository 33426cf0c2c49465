// Owns what "allow for the workspace" remembers; stored in workspace.json. Nothing that always asks
// is ever granted. A kind that this version does not know is kept and grants nothing.
import { z } from 'zod'

/** Every call of one tool that is not a command line (an edit, an MCP tool). */
const ToolGrant = z.looseObject({ kind: z.literal('tool'), toolName: z.string() })

/** This command line and no other, character for character. */
const CommandGrant = z.looseObject({ kind: z.literal('command'), toolName: z.string(), command: z.string() })

/** Plain commands that begin with these words (`npm`, `test`): no operators, redirections, expansions. */
const PrefixGrant = z.looseObject({
  kind: z.literal('command-prefix'),
  toolName: z.string(),
  words: z.array(z.string()).min(2)
})

const KnownGrant = z.discriminatedUnion('kind', [ToolGrant, CommandGrant, PrefixGrant])
export type KnownGrant = z.infer<typeof KnownGrant>

const UnknownGrant = z.looseObject({ kind: z.string() })

export const WorkspaceGrant = z.union([KnownGrant, UnknownGrant])
export type WorkspaceGrant = z.infer<typeof WorkspaceGrant>

/** The grant, checked, or null when this version does not know its kind or its form. */
export function knownGrantOf(grant: WorkspaceGrant): KnownGrant | null {
  const parsed = KnownGrant.safeParse(grant)
  return parsed.success ? parsed.data : null
}

/** What a person allows by it, in words. */
export function describeGrant(grant: KnownGrant): string {
  switch (grant.kind) {
    case 'tool':
      return `Every ${grant.toolName} inside the project`
    case 'command':
      return 'Exactly this command'
    case 'command-prefix':
      return `Plain commands that begin with \`${grant.words.join(' ')}\``
  }
}
