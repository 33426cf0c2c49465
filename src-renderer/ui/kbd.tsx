// Owns how keys are drawn: each key its own small box, `Ctrl+Shift+F` as written.

export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keys.split('+').map((key) => (
        <kbd
          key={key}
          className="min-w-4 rounded-small border border-line px-1 text-center font-sans text-micro text-quiet"
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
