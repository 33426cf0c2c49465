// Owns the line where a compaction's divider will stand while the summary is written: as high, so that nothing moves.
export function SummarisingLine() {
  return (
    <div
      data-testid="compaction-running"
      className="flex min-h-6 w-full items-center text-micro text-quiet touch:min-h-11"
    >
      <span aria-hidden className="tide-rule" />
      <span className="relative flex items-center gap-2 bg-surface px-2 narrow:ml-4">
        <span aria-hidden className="size-1.5 rounded-full bg-accent" />
        Summarising this window…
      </span>
    </div>
  )
}
