// Owns what holds in every story: axe finds nothing serious, and nothing is wider than the window.
import axe from 'axe-core'
import { expect } from 'storybook/test'

/** Fails with the rules and elements that axe found serious, or with what sticks out sideways. */
export async function expectSound(page: HTMLElement): Promise<void> {
  // A colour that is still changing has no contrast of its own.
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
  const results = await axe.run(page.ownerDocument.body, { resultTypes: ['violations'] })
  const serious = results.violations
    .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
    .map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' | ')}`)
  await expect(serious).toEqual([])
  await expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth)
}
