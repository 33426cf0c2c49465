// Owns what the demo understands: the closed set of requests, each with what was named in it.

export type Intent =
  | { readonly kind: 'help' }
  | { readonly kind: 'thanks' }
  | { readonly kind: 'overview' }
  /** `pattern` is a glob; `words` what the person called it. */
  | { readonly kind: 'list'; readonly pattern: string; readonly countOnly: boolean }
  | {
      readonly kind: 'read'
      readonly paths: readonly string[]
      readonly range: { readonly offset: number; readonly limit: number } | null
      /** `explain` describes the file, `show` quotes more of it. */
      readonly manner: 'show' | 'explain'
    }
  /** Read everything under a folder or glob, one file after the other. */
  | { readonly kind: 'read-all'; readonly pattern: string }
  | { readonly kind: 'search'; readonly term: string; readonly glob: string | null; readonly definition: boolean }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'script'; readonly script: 'test' | 'build' | 'lint' | 'typecheck' }
  | { readonly kind: 'create'; readonly path: string; readonly content: string | null; readonly wish: string }
  | { readonly kind: 'replace'; readonly from: string; readonly to: string; readonly path: string | null }
  | { readonly kind: 'append'; readonly line: string; readonly path: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'todo'; readonly items: readonly string[]; readonly about: string }
  | { readonly kind: 'ask'; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: 'remember'; readonly fact: string; readonly scope: 'project' | 'global' | 'workspace' }
  | { readonly kind: 'memories' }
  | { readonly kind: 'notes' }
  | { readonly kind: 'recall'; readonly words: readonly string[]; readonly first: boolean }
  | { readonly kind: 'summarise' }
  | { readonly kind: 'count'; readonly upTo: number }
  | { readonly kind: 'fetch'; readonly url: string }
  | {
      readonly kind: 'unknown'
      readonly text: string
      readonly words: readonly string[]
      readonly paths: readonly string[]
    }
