// Owns the class list of a control that shows when its row is under the pointer or holds the focus, and
// always under a finger. The row carries `group`.

export const REVEAL =
  'opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100 touch:opacity-100'
