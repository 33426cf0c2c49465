// Owns the number at the head of the rail: the window that the first row in view belongs to.

export function WindowMark({ number }: { readonly number: number | null }) {
  if (number === null) return null
  return (
    <div
      data-testid="window-mark"
      className="pointer-events-none absolute top-0 left-0 hidden w-8 justify-center bg-surface pt-2 pb-1 text-micro text-quiet tabular-nums narrow:flex"
    >
      <span className="sr-only">Window </span>
      {number}
    </div>
  )
}
