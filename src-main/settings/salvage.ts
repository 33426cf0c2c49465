// Owns rescuing what is valid: a value that the schema refuses is passed over (or, where it is required
// and missing, what holds it), and the rest is used. Pure; the text itself is never changed.
import type { Node } from 'jsonc-parser'
import type { z } from 'zod'

export interface SalvageProblem {
  /** Where the value begins in the text. */
  readonly offset: number
  /** Dotted path of what was passed over. */
  readonly path: string
  /** What was expected, in the schema's words; never the value. */
  readonly why: string
}

export interface Salvaged<T> {
  readonly value: T
  readonly problems: readonly SalvageProblem[]
}

/**
 * Reads `root` (an object node) by `schema`, whose empty object must be valid: every field has a
 * default or is optional. Ends, since each round passes over at least one more node.
 */
export function salvage<T>(root: Node, schema: z.ZodType<T>): Salvaged<T> {
  const passedOver = new Set<Node>()
  const problems: SalvageProblem[] = duplicateKeys(root, '')
  for (;;) {
    const parsed = schema.safeParse(valueOf(root, passedOver))
    if (parsed.success) return { value: parsed.data, problems: outermost(problems) }
    // All places first: passing one over shifts the indexes of its neighbours.
    const places = parsed.error.issues.flatMap((issue) => {
      const place = offendingNode(root, issue.path, passedOver)
      return place === null ? [] : [{ ...place, why: issue.message }]
    })
    // Nothing left to pass over: the schema refuses even what it should default. The caller's bug.
    if (places.length === 0) throw new Error('salvage: the schema refuses an empty object')
    for (const { node, path, why } of places) {
      if (passedOver.has(node)) continue
      passedOver.add(node)
      problems.push({ offset: node.offset, path: path.join('.'), why })
    }
  }
}

/** In the order of the file, without those inside of something that was passed over as a whole. */
function outermost(problems: readonly SalvageProblem[]): SalvageProblem[] {
  return problems
    .filter((problem) => !problems.some((other) => problem.path.startsWith(`${other.path}.`)))
    .toSorted((a, b) => a.offset - b.offset)
}

/** The plain value of a tree without the nodes in `passedOver`; of two properties of one name the first counts. */
export function valueOf(node: Node, passedOver: ReadonlySet<Node>): unknown {
  if (node.type === 'array') return kept(node.children, passedOver).map((child) => valueOf(child, passedOver))
  if (node.type !== 'object') return node.value
  const entries = new Map<string, unknown>()
  for (const [name, value] of propertiesOf(node)) {
    if (!passedOver.has(value) && !entries.has(name)) entries.set(name, valueOf(value, passedOver))
  }
  return Object.fromEntries(entries)
}

/** The node at `path`, or the nearest one above it that exists; null for the root itself. */
function offendingNode(
  root: Node,
  path: readonly PropertyKey[],
  passedOver: ReadonlySet<Node>
): { node: Node; path: string[] } | null {
  let node = root
  const walked: string[] = []
  for (const key of path) {
    const child = childOf(node, key, passedOver)
    if (child === undefined) break
    // Passed-over elements shift the schema's indexes; a person counts those in the file.
    walked.push(String(node.type === 'array' ? (node.children ?? []).indexOf(child) : key))
    node = child
  }
  return node === root ? null : { node, path: walked }
}

function childOf(node: Node, key: PropertyKey, passedOver: ReadonlySet<Node>): Node | undefined {
  if (node.type === 'array') return typeof key === 'number' ? kept(node.children, passedOver)[key] : undefined
  if (node.type !== 'object') return undefined
  return propertiesOf(node).find(([name, value]) => name === String(key) && !passedOver.has(value))?.[1]
}

function kept(children: readonly Node[] | undefined, passedOver: ReadonlySet<Node>): Node[] {
  return (children ?? []).filter((child) => !passedOver.has(child))
}

function propertiesOf(node: Node): [string, Node][] {
  return (node.children ?? []).flatMap((property): [string, Node][] => {
    const [name, value] = property.children ?? []
    return name === undefined || value === undefined ? [] : [[String(name.value), value]]
  })
}

function duplicateKeys(node: Node, path: string): SalvageProblem[] {
  if (node.type === 'array')
    return (node.children ?? []).flatMap((child, index) => duplicateKeys(child, `${path}${index}.`))
  if (node.type !== 'object') return []
  const seen = new Set<string>()
  return propertiesOf(node).flatMap(([name, value]) => {
    const nested = duplicateKeys(value, `${path}${name}.`)
    if (seen.has(name))
      nested.push({ offset: value.offset, path: `${path}${name}`, why: 'there twice; the first one counts' })
    seen.add(name)
    return nested
  })
}
