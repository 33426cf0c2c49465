// Owns F6: the focus goes round the parts of the window, each marked `data-region` with what to focus in it.

const FOCUSABLE = 'button:not(:disabled), [href], input:not([type="file"]), textarea, select, [tabindex="0"]'

/** Puts the cursor into the composer, where there is one. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>('[data-testid="composer"]')?.focus()
}

/** Focuses the first control of the part after the one that holds the focus. */
export function focusNextRegion(page: Document): void {
  const regions = [...page.querySelectorAll<HTMLElement>('[data-region]')]
  const at = regions.findIndex((region) => region.contains(page.activeElement))
  for (let step = 1; step <= regions.length; step += 1) {
    const region = regions[(at + step) % regions.length]
    const target =
      region?.querySelector<HTMLElement>('[data-region-focus]') ?? region?.querySelector<HTMLElement>(FOCUSABLE)
    if (target === null || target === undefined) continue
    target.focus()
    return
  }
}
