// Proves the decisions of the shell's security; e2e/security.electron.ts proves that they are applied.
import { describe, expect, it } from 'vitest'
import {
  APP_PAGE,
  contentSecurityPolicy,
  isExternalUrl,
  isGrantedPermission,
  isOwnUrl,
  pageOf,
  rendererFileOf
} from './security-rules'

describe('isExternalUrl', () => {
  it.each(['https://example.org/a?b#c', 'http://127.0.0.1:3000', 'mailto:a@example.org'])('lets %s out', (url) => {
    expect(isExternalUrl(url)).toBe(true)
  })

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:app://tidemark/1',
    'smb://server/share',
    'ms-msdt:/id',
    'vscode://file/etc',
    'app://tidemark/index.html',
    'view-source:https://example.org',
    'https://good.example@evil.example/',
    '//example.org',
    '/etc/passwd',
    'https://',
    ''
  ])('keeps %j in', (url) => {
    expect(isExternalUrl(url)).toBe(false)
  })
})

describe('isOwnUrl', () => {
  it('accepts pages of the own origin', () => {
    expect(isOwnUrl('app://tidemark/index.html#row', APP_PAGE)).toBe(true)
    expect(isOwnUrl('http://localhost:5173/x', 'http://localhost:5173')).toBe(true)
  })

  it.each([
    'app://tidemark.evil/index.html',
    'app://evil/index.html',
    'https://tidemark/index.html',
    'file:///index.html',
    'about:blank',
    'http://localhost:5174/',
    'x'
  ])('refuses %s', (url) => {
    expect(isOwnUrl(url, APP_PAGE)).toBe(false)
  })
})

describe('isGrantedPermission', () => {
  it('grants writing text to the clipboard to the own page and nothing else', () => {
    expect(isGrantedPermission('clipboard-sanitized-write', APP_PAGE, APP_PAGE)).toBe(true)
    expect(isGrantedPermission('clipboard-sanitized-write', 'https://example.org', APP_PAGE)).toBe(false)
    for (const permission of ['clipboard-read', 'media', 'geolocation', 'notifications', 'openExternal', 'unknown'])
      expect(isGrantedPermission(permission, APP_PAGE, APP_PAGE)).toBe(false)
  })
})

describe('contentSecurityPolicy', () => {
  it('allows scripts of the own origin only, nothing inline, nothing evaluated, nothing remote', () => {
    const policy = contentSecurityPolicy()
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe-eval')
    expect(policy).not.toMatch(/https?:/)
    expect(policy.match(/unsafe-inline/g)).toHaveLength(1)
  })
})

describe('pageOf', () => {
  it('takes a dev server on this machine only, and only from sources', () => {
    const environment = { ELECTRON_RENDERER_URL: 'http://localhost:5173' }
    expect(pageOf(environment, false)).toBe('http://localhost:5173')
    expect(pageOf(environment, true)).toBe(APP_PAGE)
    expect(pageOf({ ELECTRON_RENDERER_URL: 'http://evil.example' }, false)).toBe(APP_PAGE)
    expect(pageOf({}, false)).toBe(APP_PAGE)
  })
})

describe('rendererFileOf', () => {
  it('maps a path of the origin into the folder', () => {
    expect(rendererFileOf('app://tidemark/index.html', '/r')).toBe('/r/index.html')
    expect(rendererFileOf('app://tidemark/assets/a%20b.js?x#y', '/r')).toBe('/r/assets/a b.js')
    expect(rendererFileOf('app://tidemark/../../etc/passwd', '/r')).toBe('/r/etc/passwd')
  })

  it.each([
    'app://evil/index.html',
    'file:///etc/passwd',
    'app://tidemark/..%2f..%2fetc/passwd',
    'app://tidemark/..%5c..%5cetc',
    'app://tidemark/a%00b',
    'app://tidemark/a%zzb',
    'app://tidemark/a%'
  ])('refuses %s', (url) => {
    expect(rendererFileOf(url, '/r')).toBeNull()
  })
})
