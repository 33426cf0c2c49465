// Owns joining class names: false, null and undefined are left out.

export function cx(...names: ReadonlyArray<string | false | null | undefined>): string {
  return names.filter(Boolean).join(' ')
}
