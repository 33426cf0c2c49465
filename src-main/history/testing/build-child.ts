// Builds a script for another process of a test, once, so that starting it costs milliseconds.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../../..')

export interface BuiltScript {
  readonly file: string
  remove(): void
}

/** Builds the script as the product is built: CommonJS for Node 18. */
export async function buildChild(script: URL): Promise<BuiltScript> {
  const name = basename(script.pathname, '.ts')
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
        input: { [name]: fileURLToPath(script) },
        output: { format: 'cjs', entryFileNames: '[name].cjs' }
      }
    }
  })
  // What counts tokens looks for its tables beside itself.
  const assets = join(folder, 'assets')
  mkdirSync(assets, { recursive: true })
  symlinkSync(join(root, 'node_modules/tiktoken/tiktoken_bg.wasm'), join(assets, 'tiktoken_bg.wasm'))
  return { file: join(folder, `${name}.cjs`), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
