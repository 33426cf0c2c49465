import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inForm } from '../history/testing/long-form'
import { jsonSlice } from './json-slice'

test('S-7 the stored text of a value is taken as it stands', () => {
  const line = '{ "parts" : [ {"input": {"n":1.0, "s":"a\\u0062 \\"q\\\\"},"x":[1,{}] } , "two" ], "parts2":null }'
  expect(jsonSlice(line, ['parts', 0, 'input'])).toBe('{"n":1.0, "s":"a\\u0062 \\"q\\\\"}')
  expect(jsonSlice(line, ['parts', 0, 'input', 'n'])).toBe('1.0')
  expect(jsonSlice(line, ['parts', 0, 'x', 1])).toBe('{}')
  expect(jsonSlice(line, ['parts', 1])).toBe('"two"')
  expect(jsonSlice(line, ['parts2'])).toBe('null')
  expect(jsonSlice(line, [])).toBe(line.trim())
  for (const path of [['none'], ['parts', 2], ['parts', 'x'], [0], ['parts', 0, 'input', 'n', 0]])
    expect(jsonSlice(line, path)).toBeNull()
})

test('S-7 of two equal names the last counts, as in a parse; a name may be spelled with escapes', () => {
  const line = '{"a":{"b":1},"\\u0061":{"b":2,"b":3}}'
  expect(jsonSlice(line, ['a', 'b'])).toBe('3')
})

test('S-7 every value of a compact line is found, whatever it holds', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))), fc.nat(3), (list, spaces) => {
      const line = JSON.stringify({ list }, null, spaces).replaceAll('\n', ' ')
      for (const [at, each] of list.entries())
        for (const [name, value] of Object.entries(each)) {
          const slice = jsonSlice(line, ['list', at, name])
          expect(JSON.parse(slice ?? '"nothing"')).toEqual(JSON.parse(JSON.stringify(value)))
          if (spaces === 0) expect(slice).toBe(JSON.stringify(value))
        }
    }),
    { seed: 77, numRuns: inForm({ quick: 50, full: 200, long: 200 }) }
  )
})
