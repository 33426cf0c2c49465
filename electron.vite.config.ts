// Builds the desktop app: main with its workers, preload, renderer. One build must run in the
// newest Electron and in Electron 25 (Node 18.15, Chromium 114), so targets and formats are
// pinned; electron-vite would otherwise derive them from the installed `electron` package.
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { buildInputs } from './scripts/build-inputs.ts'
import { tailwindOldChromium } from './scripts/tailwind-old-chromium.ts'

const { alias, at, workers } = buildInputs(import.meta.dirname)

const node = {
  target: 'node18.15',
  sourcemap: true,
  // Externalises what package.json lists under `dependencies`: packages that load files of their
  // own. All else is bundled, since Node 18 can't require() ESM-only packages.
  externalizeDeps: true
} as const

export default defineConfig({
  main: {
    resolve: { alias },
    build: {
      ...node,
      outDir: 'out/main',
      rolldownOptions: {
        input: { main: at('electron/main.ts'), ...workers },
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' }
      }
    }
  },
  preload: {
    resolve: { alias },
    build: {
      ...node,
      externalizeDeps: false, // a sandboxed preload can require nothing but electron
      outDir: 'out/preload',
      rolldownOptions: {
        input: { preload: at('electron/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' }
      }
    }
  },
  renderer: {
    root: 'src-renderer',
    resolve: { alias },
    plugins: [react(), tailwindcss(), tailwindOldChromium()],
    build: {
      outDir: at('out/renderer'),
      emptyOutDir: true,
      // The CSP takes fonts from the app's own origin alone, never from data: addresses.
      assetsInlineLimit: 0,
      // Read from the disk, not over a network: a large chunk is no news to whoever starts the app.
      chunkSizeWarningLimit: 2_000,
      target: 'chrome114',
      minify: true,
      rolldownOptions: { input: at('src-renderer/index.html') }
    }
  }
})
