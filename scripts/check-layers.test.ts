// Proves that the layer check sees each kind of import and each kind of violation.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkTree, importsOf, MAX_LINES, problemsOf } from './check-layers.mjs'

describe('importsOf', () => {
  it('finds static, type, side-effect, re-exported, dynamic, inline type and required modules', () => {
    const text = [
      `import { a } from './a'`,
      `import type { B } from "./b"`,
      `import './c.css'`,
      `export { d } from './d'`,
      `const e = await import('./e')`,
      `let f: import('./f').F`,
      `const g = require('./g')`,
      `import {`,
      `  h`,
      `} from './h'`,
      `// import { no } from './no'`,
      ` * import { no } from './no'`
    ].join('\n')
    expect(importsOf(text)).toEqual(['./a', './b', './c.css', './d', './e', './f', './g', './h'])
  })
})

describe('problemsOf', () => {
  const violations: [string, string][] = [
    ['src-common/rows/a.ts', `import { b } from '../../src-main/history/b'`],
    ['src-common/rows/a.ts', `import fs from 'node:fs'`],
    ['src-common/rows/a.ts', `import type { UIMessage } from 'ai'`],
    ['src-main/session/a.ts', `import { app } from 'electron'`],
    ['src-main/session/a.ts', `import type { X } from '../../src-renderer/store/x'`],
    ['src-main/history/a.ts', `const b = await import('../session/b')`],
    ['src-main/history/a.ts', `import { b } from '../settings/b'`],
    ['src-main/context/a.ts', `import { b } from '../agents/b'`],
    ['src-main/compaction/a.ts', `import type { b } from '../tools/b'`],
    ['src-main/ipc/a.ts', `import { createApp } from '../create-app'`],
    ['src-main/helpers/a.ts', `import { b } from '../files/b'`],
    ['src-main/tools/a.ts', `import { fixture } from '../testing/fixture'`],
    ['src-renderer/app.tsx', `import { b } from '../src-main/files/b'`],
    ['src-renderer/app.tsx', `import path from 'node:path'`],
    ['src-renderer/app.tsx', `export { b } from '../electron/b'\nexport const c = 1`],
    ['electron/main.ts', `import { App } from '../src-renderer/app'`],
    ['stories/a.stories.tsx', `import { b } from '../src-main/files/b'`]
  ]
  it.each(violations)('rejects in %s: %s', (file, text) => {
    expect(problemsOf(file, text)).toHaveLength(1)
  })

  const allowed: [string, string][] = [
    ['src-common/rows/a.ts', `import { z } from 'zod'\nimport { b } from '@common/ids'`],
    ['src-common/rows/a.test.ts', `import { it } from 'vitest'`],
    ['src-main/create-app.ts', `import { b } from './session/b'\nimport { c } from './ipc/c'`],
    ['src-main/cli/tidemark.ts', `import { createApp } from '../create-app'`],
    ['src-main/session/a.ts', `import { b } from '../history/b'\nimport { c } from '@common/ids'`],
    ['src-main/tools/a.ts', `import { b } from './b'`],
    ['src-main/tools/a.test.ts', `import { fixture } from '../testing/fixture'`],
    ['src-main/testing/fixture.ts', `import { createApp } from '../create-app'`],
    ['electron/main.ts', `import { createApp } from '../src-main/create-app'\nimport { app } from 'electron'`],
    ['src-renderer/app.tsx', `import { useState } from 'react'\nimport { b } from '@common/ids'`],
    ['stories/a.stories.tsx', `import { rows } from '../src-renderer/testing/rows'`]
  ]
  it.each(allowed)('accepts in %s: %s', (file, text) => {
    expect(problemsOf(file, text)).toEqual([])
  })

  it('rejects a product file over the cap and leaves tests alone', () => {
    const long = 'const a = 1\n'.repeat(MAX_LINES)
    expect(problemsOf('src-main/files/a.ts', long)).toHaveLength(1)
    expect(problemsOf('src-main/files/a.test.ts', long)).toEqual([])
  })
})

describe('barrels', () => {
  it('rejects a file that only re-exports', () => {
    expect(problemsOf('src-main/files/a.ts', `// x\nexport { b } from './b'\nexport * from './c'`)).toHaveLength(1)
    expect(problemsOf('src-main/files/a.ts', `export { b } from './b'\nexport const c = 1`)).toEqual([])
  })
})

describe('checkTree', () => {
  it('fails when it read no file', () => {
    const empty = fs.mkdtempSync(path.join(os.tmpdir(), 'layers-'))
    expect(checkTree(empty)).toEqual({ files: 0, problems: [expect.stringContaining('no source file was read')] })
    fs.rmSync(empty, { recursive: true })
  })
})
