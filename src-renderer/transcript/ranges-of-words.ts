// Owns finding words in what is drawn, across the borders of its elements.

/** Every place of the words, in any case, in the text of the element; in order. */
export function rangesOf(element: HTMLElement, words: string): Range[] {
  const nodes: Array<{ readonly node: Text; readonly start: number }> = []
  let text = ''
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue
    nodes.push({ node, start: text.length })
    text += node.data
  }
  // Case is folded one unit at a time: what is found must stand at the same place in the text itself.
  const [where, what] = [foldedUnits(text), foldedUnits(words)]
  const ranges: Range[] = []
  if (what === '') return ranges
  for (let at = where.indexOf(what); at !== -1; at = where.indexOf(what, at + what.length)) {
    const range = document.createRange()
    setBoundary(range, 'setStart', at)
    setBoundary(range, 'setEnd', at + what.length)
    ranges.push(range)
  }
  return ranges

  function setBoundary(range: Range, boundary: 'setStart' | 'setEnd', offset: number): void {
    const found = nodes.findLast(({ start }) => (boundary === 'setStart' ? start <= offset : start < offset))
    if (found !== undefined) range[boundary](found.node, offset - found.start)
  }
}

function foldedUnits(text: string): string {
  const folded = text.toLowerCase()
  if (folded.length === text.length) return folded
  return [...text].map((char) => (char.toLowerCase().length === char.length ? char.toLowerCase() : char)).join('')
}
