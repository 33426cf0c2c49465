// Becomes resources/default_app.asar of the assembled runtime (electron-runtime.mjs): what
// Electron's own default_app does for `electron [-r module] <app folder or file> [args]`.
'use strict'
const { app } = require('electron')
const fs = require('node:fs')
const path = require('node:path')
const Module = require('node:module')

const args = process.argv.slice(1)
const preloads = []
let target = null
for (let index = 0; index < args.length; index++) {
  const arg = args[index]
  if (arg === '--version' || arg === '-v') {
    console.log(`v${process.versions.electron}`)
    process.exit(0)
  } else if (arg === '-r' || arg === '--require') preloads.push(args[++index])
  else if (arg.startsWith('--app=')) {
    target = arg.slice('--app='.length)
    break
  } else if (!arg.startsWith('-')) {
    target = arg
    break
  }
}
if (!target) {
  console.error('usage: electron [-r module] <path to app>')
  process.exit(2)
}
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true })
const root = path.resolve(target)
const manifest = path.join(root, 'package.json')
if (fs.existsSync(manifest)) {
  const fields = JSON.parse(fs.readFileSync(manifest, 'utf8'))
  if (fields.version) app.setVersion(fields.version)
  app.setName(fields.productName || fields.name || app.getName())
  app.setDesktopName(fields.desktopName || `${app.getName()}.desktop`)
  app.setAppPath(root)
}
const file = Module._resolveFilename(root, null, true)
if (!fs.existsSync(manifest)) app.setAppPath(path.dirname(file))
for (const preload of preloads) Module.createRequire(path.join(process.cwd(), 'x.js'))(preload)
Module._load(file, null, true)
