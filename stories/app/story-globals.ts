// Owns the sizes at which stories stand: the narrowest window that must work.

/** Globals of a story at 375 × 667; the size is defined in .storybook/preview.ts. */
export const PHONE = { viewport: { value: 'phone', isRotated: false } }
