// Owns the class lists that several floating primitives share.

export const OVERLAY = 'z-40 rounded-large border border-line bg-overlay text-text shadow-overlay animate-appear'
export const MENU_ITEM =
  'flex min-h-8 cursor-default items-center gap-2 rounded-regular px-2 text-small outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover touch:min-h-11'
export const FIELD =
  'w-full rounded-regular border border-line-strong bg-surface px-2.5 text-small text-text transition-colors focus-visible:outline-offset-0 disabled:opacity-50 aria-invalid:border-danger'
