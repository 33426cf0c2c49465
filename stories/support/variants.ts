// Owns the variants of a story: the narrowest window, and each theme whatever the system says.

/** 375 × 667. */
export const PHONE = { viewport: { value: 'phone', isRotated: false } }

/** For `beforeEach`: the theme of one story; the system's again after it. */
export function withTheme(theme: 'light' | 'dark'): () => () => void {
  return () => {
    document.documentElement.dataset['theme'] = theme
    return () => {
      delete document.documentElement.dataset['theme']
    }
  }
}
