import { describe, expect, it } from 'vitest'
import type { Intent } from './intent'
import { recognise } from './recognise'

/** Requests as people write them, and what the demo takes them for (L-2). */
const UNDERSTOOD: readonly (readonly [string, readonly Partial<Intent>[]])[] = [
  ['What is this project?', [{ kind: 'overview' }]],
  ['explain this codebase to me please', [{ kind: 'overview' }]],
  ['Give me an overview', [{ kind: 'overview' }]],
  ['hello', [{ kind: 'help' }]],
  ['What can you do?', [{ kind: 'help' }]],
  ['thanks!', [{ kind: 'thanks' }]],
  ['list files', [{ kind: 'list', pattern: '**/*', countOnly: false }]],
  ['ls', [{ kind: 'list', pattern: '**/*' }]],
  ['How many TypeScript files are in src?', [{ kind: 'list', pattern: 'src/**/*.{ts,tsx}', countOnly: true }]],
  ['find all *.json files', [{ kind: 'list', pattern: '**/*.json' }]],
  ['find files named session', [{ kind: 'list', pattern: '**/*session*' }]],
  ['read README.md', [{ kind: 'read', paths: ['README.md'], range: null, manner: 'show' }]],
  ['cat Makefile', [{ kind: 'read', paths: ['Makefile'] }]],
  ['What does src/main.py do?', [{ kind: 'read', paths: ['src/main.py'], manner: 'explain' }]],
  ['explain a.ts and b/c.ts', [{ kind: 'read', paths: ['a.ts', 'b/c.ts'], manner: 'explain' }]],
  ['read lines 10-20 of src/index.ts', [{ kind: 'read', range: { offset: 10, limit: 11 } }]],
  ['Read every file in src', [{ kind: 'read-all', pattern: 'src/**/*' }]],
  ['where is createApp defined?', [{ kind: 'search', term: 'createApp', definition: true }]],
  ['find "context window"', [{ kind: 'search', term: 'context window', definition: false }]],
  ['find all TODOs in src', [{ kind: 'search', term: 'TODO', glob: 'src/**' }]],
  ['who calls sendMessage?', [{ kind: 'search', term: 'sendMessage' }]],
  ['run `npm test`', [{ kind: 'run', command: 'npm test' }]],
  ['Use bash to run: echo one; echo two', [{ kind: 'run', command: 'echo one; echo two' }]],
  ['$ echo "a b"', [{ kind: 'run', command: 'echo "a b"' }]],
  [
    'run git commit -m "first  try" and tell me the exit code',
    [{ kind: 'run', command: 'git commit -m "first  try"' }]
  ],
  ['Run ls -la && echo done; pwd', [{ kind: 'run', command: 'ls -la && echo done; pwd' }]],
  ['please run: `node -v`', [{ kind: 'run', command: 'node -v' }]],
  ['run the tests', [{ kind: 'script', script: 'test' }]],
  ['Do the tests pass?', [{ kind: 'script', script: 'test' }]],
  ['build the project', [{ kind: 'script', script: 'build' }]],
  ['run npm run build', [{ kind: 'run', command: 'npm run build' }]],
  ['what changed in git?', [{ kind: 'run', command: 'git status --short && git diff --stat' }]],
  ['what is 2+2?', [{ kind: 'run', command: "awk 'BEGIN { print 2+2 }'" }]],
  ['Create a file `a/b.txt` with the content `one two`.', [{ kind: 'create', path: 'a/b.txt', content: 'one two' }]],
  [
    'Create src/new.ts with:\n```ts\nexport const a = 1\n```',
    [{ kind: 'create', path: 'src/new.ts', content: 'export const a = 1' }]
  ],
  ['Create hello.py that prints "hi there"', [{ kind: 'create', path: 'hello.py', content: null, wish: 'hi there' }]],
  ['replace "foo" with "bar" in src/a.ts', [{ kind: 'replace', from: 'foo', to: 'bar', path: 'src/a.ts' }]],
  ['in src/a.ts, replace foo with bar', [{ kind: 'replace', from: 'foo', to: 'bar', path: 'src/a.ts' }]],
  ['rename getUser to fetchUser', [{ kind: 'replace', from: 'getUser', to: 'fetchUser', path: null }]],
  ['add the line "export {}" to src/a.ts', [{ kind: 'append', line: 'export {}', path: 'src/a.ts' }]],
  ['delete the file old.txt', [{ kind: 'delete', path: 'old.txt' }]],
  [
    'make a todo list: fix parser, write tests, release',
    [{ kind: 'todo', items: ['fix parser', 'write tests', 'release'] }]
  ],
  ['make a to-do list:\n- one\n- two', [{ kind: 'todo', items: ['one', 'two'] }]],
  [
    'ask me which database to use: postgres or sqlite',
    [{ kind: 'ask', question: 'Which database to use?', options: ['postgres', 'sqlite'] }]
  ],
  ['remember that we deploy on Fridays', [{ kind: 'remember', fact: 'we deploy on Fridays', scope: 'project' }]],
  ['Remember: the code word is heron', [{ kind: 'remember', fact: 'the code word is heron' }]],
  ['what do you remember?', [{ kind: 'memories' }]],
  ['What is the code word I told you?', [{ kind: 'recall', words: ['code', 'word'] }]],
  ['what was my first question?', [{ kind: 'recall', first: true }]],
  ['summarise our conversation so far', [{ kind: 'summarise' }]],
  ['count to 20', [{ kind: 'count', upTo: 20 }]],
  ['fetch https://example.com/a', [{ kind: 'fetch', url: 'https://example.com/a' }]],
  ['Fix the bug in the parser', [{ kind: 'unknown', words: ['parser', 'bug'] }]],
  ['refactor src/a.ts', [{ kind: 'unknown', paths: ['src/a.ts'] }]],
  [
    'Read README.md, then run `node --version` and tell me the exit code. Keep it short.',
    [
      { kind: 'read', paths: ['README.md'] },
      { kind: 'run', command: 'node --version' }
    ]
  ],
  [
    'Read src/greet.js and replace "Hello" with "Hi" in it',
    [
      { kind: 'read', paths: ['src/greet.js'] },
      { kind: 'replace', from: 'Hello', to: 'Hi', path: 'src/greet.js' }
    ]
  ],
  [
    '1. list the files\n2. find TODO\n3. run the tests',
    [{ kind: 'list' }, { kind: 'search', term: 'TODO' }, { kind: 'script', script: 'test' }]
  ]
]

describe('understanding a request (L-2)', () => {
  it.each(UNDERSTOOD)('takes %j for what it is', (request, intents) => {
    const found = recognise(request)
    expect(found).toHaveLength(intents.length)
    for (const [index, intent] of intents.entries()) expect(found[index]).toMatchObject(intent)
  })

  it('reads a long pasted document without taking each line for a wish', () => {
    expect(recognise(`Explain this:\n${'some pasted text. '.repeat(2_000)}`).length).toBeLessThanOrEqual(8)
  })
})
