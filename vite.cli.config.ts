// Builds the command line: src-main/cli/tidemark.ts and its workers, CommonJS for plain Node.
// Same rule as the desktop's main: `dependencies` stay outside, all else is bundled.
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { defineConfig } from 'vite'
import { buildInputs } from './scripts/build-inputs.ts'

const { alias, at, workers } = buildInputs(import.meta.dirname)
const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const external = Object.keys(manifest.dependencies)

export default defineConfig({
  resolve: { alias },
  // `ssr` means a build for Node: built-ins stay outside, no browser fields are followed.
  ssr: { noExternal: true, external, target: 'node' },
  build: {
    ssr: true,
    target: 'node18.15',
    outDir: 'out/cli',
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      external: [...external, ...builtinModules, /^node:/],
      input: { tidemark: at('src-main/cli/tidemark.ts'), ...workers },
      output: {
        format: 'cjs',
        entryFileNames: '[name].cjs',
        chunkFileNames: 'chunks/[name]-[hash].cjs',
        banner: (chunk) => (chunk.isEntry && chunk.name === 'tidemark' ? '#!/usr/bin/env node' : '')
      }
    }
  }
})
