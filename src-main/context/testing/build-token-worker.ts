// Builds token-worker.cjs for tests and benchmarks the way the product's builds do: CommonJS for Node 18,
// the tokenizer left outside.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../../..')

export interface BuiltWorker {
  readonly file: string
  remove(): void
}

/** Absolute path of a freshly built worker in a folder of its own. */
export async function buildTokenWorker(): Promise<BuiltWorker> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-token-worker-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '@common': join(root, 'src-common') } },
    ssr: { noExternal: true, external: ['tiktoken'], target: 'node' },
    build: {
      ssr: true,
      target: 'node18.15',
      outDir: join(folder, 'out'),
      minify: false,
      rolldownOptions: {
        external: ['tiktoken', ...builtinModules, /^node:/],
        input: { 'token-worker': join(root, 'src-main/context/token-worker.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' }
      }
    }
  })
  return {
    file: join(folder, 'out/token-worker.cjs'),
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
