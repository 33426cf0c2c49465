import { expect, test } from 'vitest'
import { protectedPartOf } from './protected-paths'

test('A-3: every spelling that a file system opens as .git or .tidemark is protected', () => {
  for (const path of [
    '.git',
    '.git/config',
    '.GIT/hooks/pre-commit',
    'packages/a/.git/config',
    '.g\u200cit/config',
    '.git./config',
    '.git /config',
    '.git::$INDEX_ALLOCATION/config',
    'GIT~1/config',
    '\uff0egit/config'
  ])
    expect([path, protectedPartOf(path)]).toEqual([path, '.git'])
  for (const path of ['.tidemark/agents/a.md', '.Tidemark', '.tide\u00admark/hooks', 'TIDEMA~1'])
    expect([path, protectedPartOf(path)]).toEqual([path, '.tidemark'])
})

test('A-3: look-alikes are not', () => {
  for (const path of [
    '.',
    'src/a.ts',
    '.gitignore',
    '.github/workflows/a.yml',
    'git/config',
    'docs/.tidemark.md',
    'a~1'
  ])
    expect([path, protectedPartOf(path)]).toEqual([path, null])
})
