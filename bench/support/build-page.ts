// Builds a page of bench/support/pages as the product's renderer is built.
import { renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { tailwindOldChromium } from '../../scripts/tailwind-old-chromium'

const ROOT = process.cwd()
const PAGES = join(ROOT, 'bench/support/pages')

/** Builds pages/NAME.html into FOLDER/page/index.html. */
export async function buildPage(name: string, folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: PAGES,
    base: './',
    resolve: { alias: { '@common': resolve(ROOT, 'src-common') } },
    plugins: [react(), tailwindcss(), tailwindOldChromium()],
    build: {
      outDir: join(folder, 'page'),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: 'chrome114',
      minify: true,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(PAGES, `${name}.html`) }
    }
  })
  renameSync(join(folder, 'page', `${name}.html`), join(folder, 'page/index.html'))
}
