// Owns which agents there are: the built-in ones, the person's own, and those of a trusted project.
// A file that cannot be read is reported with file and line and left out; it never keeps the others away,
// and it never takes the place of an agent that is already there.
import path from 'node:path'
import type { Agent } from '@common/agents/agent-schema'
import { agentForWorkspace, BUILTIN_AGENTS } from '@common/agents/builtin-agents'
import { MAX_AGENT_FILE_BYTES, MAX_AGENT_FILES } from '@common/constants'
import { readAgentFile } from './agent-file'
import { foldName, isPlainName } from './plain-name'
import { namesIn, readFolderFile } from './read-folder-file'

export interface AgentPlaces {
  /** The person's own folder of agents (`$TIDEMARK_HOME/agents`). */
  readonly homeDir: string
  /** The project's root, null without a project. */
  readonly projectDir: string | null
  /** Did the person allow this project's own agents? Without that none of them is even read. */
  readonly projectTrusted: boolean
  /** Put in place of `<workspaceId>`. */
  readonly workspaceId: string
}

export interface LoadedAgents {
  /** Built-in first, then the person's, then the project's, each by id. */
  readonly agents: readonly Agent[]
  /** `file:line: what is wrong`, one sentence each. */
  readonly problems: readonly string[]
}

interface Folder {
  readonly dir: string
  readonly source: 'home' | 'project'
  /** What links in it may not leave. */
  readonly within: string | null
}

/** Reads all agents. Never rejects for what a file holds. */
export async function loadAgents(places: AgentPlaces): Promise<LoadedAgents> {
  const { homeDir, projectDir, projectTrusted, workspaceId } = places
  const folders: Folder[] = [{ dir: homeDir, source: 'home', within: null }]
  if (projectDir !== null && projectTrusted)
    folders.push({ dir: path.join(projectDir, '.tidemark', 'agents'), source: 'project', within: projectDir })
  const agents: Agent[] = [...BUILTIN_AGENTS]
  const problems: string[] = []
  for (const folder of folders)
    for (const loaded of await readFolder(folder)) {
      const rival = typeof loaded === 'string' ? undefined : agents.find((agent) => sameToAPerson(agent, loaded))
      if (typeof loaded === 'string') problems.push(loaded)
      else if (rival === undefined) agents.push(loaded)
      else
        problems.push(
          `${loaded.file ?? loaded.id}:1: the ${WORDS[rival.source]} agent “${rival.name}” has this name already; rename the file.`
        )
    }
  return { agents: agents.map((agent) => agentForWorkspace(agent, workspaceId)), problems }
}

const WORDS: Readonly<Record<Agent['source'], string>> = {
  'built-in': 'built-in',
  home: 'personal',
  project: 'project’s'
}

/** One that a person would take for another must not stand beside it: letter case and look-alike forms count not. */
function sameToAPerson(one: Agent, other: Agent): boolean {
  const names = [one.id, one.name].map(foldName)
  return names.includes(foldName(other.id)) || names.includes(foldName(other.name))
}

/** Agents, and problems as text, by file name. */
async function readFolder(folder: Folder): Promise<(Agent | string)[]> {
  const listed = await namesIn(folder.dir)
  if (!listed.ok) return [listed.error]
  const names = listed.value.filter((name) => name.endsWith('.md'))
  const loaded = await Promise.all(names.slice(0, MAX_AGENT_FILES).map((name) => readOne(folder, name)))
  const left = names.length - MAX_AGENT_FILES
  return left > 0 ? [...loaded, `${folder.dir}: ${left} more agent files were not read.`] : loaded
}

async function readOne({ dir, source, within }: Folder, name: string): Promise<Agent | string> {
  const file = path.join(dir, name)
  const id = name.slice(0, -'.md'.length)
  if (!isPlainName(id)) return `${file}:1: the name of an agent file is letters, digits, dots and dashes.`
  const read = await readFolderFile(file, within, MAX_AGENT_FILE_BYTES)
  if (read.kind === 'missing') return `${file}:1: it is not there any more.`
  if (read.kind === 'refused') return `${file}:1: ${read.message}.`
  if (read.totalBytes > MAX_AGENT_FILE_BYTES)
    return `${file}:1: it has ${read.totalBytes} bytes, over the ${MAX_AGENT_FILE_BYTES} of an agent file.`
  const agent = readAgentFile(id, file, source, read.text)
  return agent.ok ? agent.value : `${file}:${agent.error.line}: ${agent.error.message}.`
}
