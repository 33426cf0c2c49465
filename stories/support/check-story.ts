// Owns what every story must hold: nothing scrolls sideways, and axe finds nothing serious (U-12, U-13).
import axe from 'axe-core'

/** For `afterEach` of a file's meta: looks at the story as its play function left it. */
export async function checkStory(): Promise<void> {
  const wide = sidewaysOverflow()
  if (wide.length > 0) throw new Error(`Wider than the page: ${wide.join('\n')}`)
  const { violations } = await axe.run(document.body, {
    // A story is a part of a page: it needs no landmarks, title or first heading.
    rules: {
      region: { enabled: false },
      'landmark-one-main': { enabled: false },
      'page-has-heading-one': { enabled: false }
    },
    resultTypes: ['violations']
  })
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const found = serious.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.failureSummary ?? ''}\n  ${node.html.slice(0, 240)}`)
  )
  if (found.length > 0) throw new Error(`axe finds something serious:\n${found.join('\n')}`)
}

/** Elements that stick out of a page that therefore scrolls sideways. */
function sidewaysOverflow(): string[] {
  const root = document.documentElement
  if (root.scrollWidth <= root.clientWidth) return []
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > root.clientWidth + 1)
    .map((element) => element.outerHTML.slice(0, 160))
}
