// Owns the pictures that a person looks at: with E2E_PICTURES=1 a state in both themes, in test-results/look.
import type { Page } from '@playwright/test'

export interface Size {
  readonly width: number
  readonly height: number
}

/** One size each; without the switch it does nothing. */
export async function takePictures(page: Page, name: string, sizes: readonly Size[]): Promise<void> {
  if (process.env['E2E_PICTURES'] !== '1') return
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `test-results/look/${name}-${size.width}-${colorScheme}.png` })
    }
  }
}
