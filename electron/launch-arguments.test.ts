// Proves how the app's command line is read.
import { describe, expect, it } from 'vitest'
import { launchArgumentsOf } from './launch-arguments'

describe('launchArgumentsOf', () => {
  it.each([
    [['electron', '.', '--project', '/a/b'], '/a/b'],
    [['electron', '.', '--project=/a/b', '--disable-gpu'], '/a/b'],
    [['electron', '.', '--project', 'sub/../x'], '/start/x'],
    [['electron', '.', '--project=.'], '/start'],
    [['electron', '.'], null],
    [['electron', '.', '--project'], null],
    [['electron', '.', '--project='], null],
    [['electron', '.', '--project', '--disable-gpu'], null]
  ])('reads %j', (args, projectPath) => {
    expect(launchArgumentsOf(args, {}, '/start')).toEqual({ projectPath })
  })

  it('counts a relative path from the folder of the npm call', () => {
    expect(launchArgumentsOf(['--project', 'p'], { INIT_CWD: '/call' }, '/start')).toEqual({ projectPath: '/call/p' })
  })
})
