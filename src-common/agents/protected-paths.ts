// Owns which parts of a project always ask before anything touches them: `.git` and `.tidemark`.
// Invariant: every spelling that some file system opens as one of them counts as it.

/** Code points that HFS+ passes over when it compares names; without this `.g\u200cit` would be `.git`. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu

/** Short names that NTFS gives: `GIT~1`, `TIDEMA~1`. */
const SHORT_NAME = /^(?:git|tidema|[gt]i[0-9a-f]{4})~\d+$/

/** The protected folder that a project-relative path (forward slashes) lies in or is, or null. */
export function protectedPartOf(relative: string): '.git' | '.tidemark' | null {
  for (const segment of relative.split(/[\\/]/)) {
    const name = plainNameOf(segment)
    if (name === '.git' || name === '.tidemark') return name
    if (SHORT_NAME.test(name)) return name.startsWith('g') ? '.git' : '.tidemark'
  }
  return null
}

/** As the most forgiving file system reads it: no case, no ignored characters, no stream, no trailing dots. */
function plainNameOf(segment: string): string {
  const folded = segment.normalize('NFKC').replace(IGNORED, '').toLowerCase()
  const withoutStream = folded.split(':')[0] ?? ''
  return withoutStream.replace(/[. ]+$/, '')
}

/** Where the Plan agent may write: its plan, from the project's root. */
export function planFileOf(workspaceId: string): string {
  return `.tidemark/plans/${workspaceId}.md`
}

/** True for the plan of some workspace. */
export function isPlanFile(relative: string): boolean {
  return /^\.tidemark\/plans\/[^/]+\.md$/.test(relative)
}
