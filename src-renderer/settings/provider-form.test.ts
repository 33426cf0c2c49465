// Proves that the provider form never sends what it does not know (L-1, U-10).
import { describe, expect, it } from 'vitest'
import { REQUESTS } from '@common/contract/requests'
import { provider } from '../testing/fake-world'
import { formOf, inputOf, inputWithLimit, keySentence, limitOf, newForm, problemsOf } from './provider-form'
import { PROVIDER_TEMPLATES } from './provider-templates'

const stored = provider('lab', {
  name: 'Lab',
  baseUrl: 'http://lab/v1',
  keySource: 'file',
  headerNames: ['x-team'],
  models: [{ id: 'big', contextLimit: 64_000, vision: true }]
})

describe('L-1: the provider form', () => {
  it('leaves the stored key and header values alone', () => {
    const input = inputOf(formOf(stored))
    expect(input).not.toHaveProperty('apiKey')
    expect(input.headers).toEqual({ 'x-team': '' })
    expect(input.models).toEqual([{ id: 'big', contextLimit: 64_000, vision: true }])
  })

  it('every template is valid but for the address of a custom one', () => {
    for (const template of PROVIDER_TEMPLATES) {
      const form = newForm(template, [])
      expect(problemsOf(form, [])).toEqual(template.id === 'custom' ? { baseUrl: expect.any(String) } : {})
      if (template.id !== 'custom')
        expect(REQUESTS['providers.save'].input.safeParse({ provider: inputOf(form) }).success).toBe(true)
    }
  })

  it('gives a second provider of a kind an id of its own', () => {
    const [template] = PROVIDER_TEMPLATES
    if (template === undefined) throw new Error('there are templates')
    expect(newForm(template, ['anthropic', 'anthropic-2']).id).toBe('anthropic-3')
    expect(problemsOf({ ...newForm(template, []), id: 'Not an id' }, []).id).toBeDefined()
  })

  it('says what is wrong where it is wrong', () => {
    const form = { ...formOf(stored), headers: [{ name: 'x', value: '', stored: false }] }
    expect(problemsOf(form, [])).toEqual({ headers: expect.any(String) })
    expect(problemsOf({ ...formOf(stored), baseUrl: 'lab/v1' }, [])).toEqual({ baseUrl: expect.any(String) })
    expect(problemsOf({ ...formOf(stored), models: [{ id: 'm', contextLimit: 'many', stored: null }] }, [])).toEqual({
      models: expect.any(String)
    })
  })

  it('G-2: sets and clears the limit of one model and keeps the others', () => {
    expect(inputWithLimit(stored, 'small', 8_000).models).toEqual([
      { id: 'big', contextLimit: 64_000, vision: true },
      { id: 'small', contextLimit: 8_000 }
    ])
    expect(inputWithLimit(stored, 'big', null).models).toEqual([{ id: 'big', vision: true }])
    expect([limitOf('200,000'), limitOf('0'), limitOf('2.5k'), limitOf('')]).toEqual([200_000, null, null, null])
  })

  it('says where a key comes from', () => {
    expect(keySentence(provider('a', { keySource: 'environment', keyEnv: 'A_KEY' }))).toBe('Key from A_KEY')
    expect(keySentence(provider('a'))).toBe('No key yet')
  })
})
