// Another process that writes memories: adds lines to one file, makes files of its own, counts uses.
// Arguments: the home, a name, how often.
import { join } from 'node:path'
import { ok } from '@common/result'
import { appPathsOf } from '../../files/app-paths'
import { silentLog } from '../../files/log'
import { systemClock } from '../../files/system-clock'
import { memoryStoreOf } from '../memory-store'
import { countAccess } from '../use-memory'
import { createMemory, editMemory } from '../write-memory'

const [home = '', name = '', times = '0'] = process.argv.slice(2)

async function main(): Promise<void> {
  const store = memoryStoreOf(
    { paths: appPathsOf(home), clock: systemClock, log: silentLog },
    { folder: join(home, 'workspaces', name), projectId: 'p-1' }
  )
  const shared = '/memories/project/shared.md'
  for (let index = 0; index < Number(times); index++) {
    const edited = await editMemory(store, shared, (text) => ok(`${text}${name}-${index}\n`))
    const path = `/memories/project/${name}/${index}.md`
    const created = await createMemory(store, { path, text: `${name}\n`, replace: false })
    const race = await createMemory(store, { path: `/memories/project/race-${index}.md`, text: name, replace: false })
    await countAccess(store, shared)
    for (const result of [edited, created]) if (!result.ok) process.stderr.write(`${result.error.message}\n`)
    process.stdout.write(`${race.ok ? `race-${index} ${name}` : 'lost'}\n`)
  }
}

void main()
