// Builds a script for another process of a test, once, so that starting it costs milliseconds.
import { mkdtempSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../../..')

export interface BuiltScript {
  readonly file: string
  remove(): void
}

/** `name` is a script beside this one; built as the product is: CommonJS for Node 18. */
export async function buildChild(name: string): Promise<BuiltScript> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-child-'))
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '@common': join(root, 'src-common') } },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      target: 'node18.15',
      outDir: folder,
      minify: false,
      rolldownOptions: {
        external: [...builtinModules, /^node:/],
        input: { [name]: join(root, 'src-main/history/testing', `${name}.ts`) },
        output: { format: 'cjs', entryFileNames: '[name].cjs' }
      }
    }
  })
  return { file: join(folder, `${name}.cjs`), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
