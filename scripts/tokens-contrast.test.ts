// The colours of src-renderer/ui/tokens.css: contrast of text and of lines that carry meaning, in both themes; both themes
// override the same roles.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const css = fs.readFileSync(path.join(import.meta.dirname, '../src-renderer/ui/tokens.css'), 'utf8')
const [lightCss = '', darkCss = ''] = (css.match(/:root \{[\s\S]*?\n\}/)?.[0] ?? '').split('@variant dark')
const light = rolesOf(lightCss)
const dark = { ...light, ...rolesOf(darkCss) }

const SURFACES = ['surface', 'surface-sunken', 'surface-raised', 'surface-overlay']
const TINTS: ReadonlyArray<readonly [text: string, surface: string]> = [
  ['text', 'surface-hover'],
  ['text-quiet', 'surface-hover'],
  ['text', 'warn-surface'],
  ['warn', 'warn-surface'],
  ['text-quiet', 'warn-surface'],
  ['text', 'danger-surface'],
  ['danger', 'danger-surface'],
  ['text', 'accent-surface'],
  ['text', 'found'],
  ['accent', 'accent-surface'],
  ['on-accent', 'accent-fill'],
  ['on-accent', 'accent-fill-hover'],
  ['on-accent', 'danger-fill'],
  ['text', 'diff-added'],
  ['text', 'diff-added-strong'],
  ['text', 'diff-removed'],
  ['text', 'diff-removed-strong'],
  ['text-quiet', 'diff-added'],
  ['text-quiet', 'diff-removed']
]
const TEXTS = ['text', 'text-quiet', 'text-sealed', 'accent', 'warn', 'danger', 'ok', 'machine']
const CODE = ['keyword', 'string', 'function', 'constant', 'type', 'comment'].map((role) => `code-${role}`)

describe.each([
  ['light', light],
  ['dark', dark]
])('the %s theme', (_, roles) => {
  it('gives text a contrast of 4.5 on every surface', () => {
    const pairs = [
      ...SURFACES.flatMap((surface) => TEXTS.map((text) => [text, surface] as const)),
      ...CODE.map((text) => [text, 'surface-sunken'] as const),
      ...TINTS
    ]
    const low = pairs
      .map(([text, surface]) => ({ text, surface, contrast: contrastOf(roles[text], roles[surface]) }))
      .filter(({ contrast }) => contrast < 4.5)
    expect(low).toEqual([])
  })

  it('gives lines that carry meaning a contrast of 3', () => {
    for (const surface of SURFACES) expect(contrastOf(roles['line-strong'], roles[surface])).toBeGreaterThanOrEqual(3)
  })
})

type Colour = readonly [lightness: number, chroma: number, hue: number]

function rolesOf(block: string): Record<string, Colour> {
  const found = block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)
  return Object.fromEntries([...found].map(([, name, l, c, h]) => [name, [Number(l), Number(c), Number(h)] as const]))
}

/** WCAG 2 contrast of two OKLCH colours. */
function contrastOf(a: Colour | undefined, b: Colour | undefined): number {
  if (a === undefined || b === undefined) throw new Error('A role is missing in tokens.css')
  const [dim, bright] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y)
  return ((bright ?? 0) + 0.05) / ((dim ?? 0) + 0.05)
}

/** Relative luminance, by Björn Ottosson's OKLab matrices (2020). */
function luminanceOf([lightness, chroma, hue]: Colour): number {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  return 0.2126 * clamp(red) + 0.7152 * clamp(green) + 0.0722 * clamp(blue)
}
