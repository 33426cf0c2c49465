// Owns the one form in which a tool output holds media (00): `{type: "content", value: [{type: "media", …}]}`.
// Nothing else is media, whatever it looks like; conversion and projection both ask here.

export interface MediaItem {
  readonly type: 'media'
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

export interface TextItem {
  readonly type: 'text'
  readonly text: string
}

/** The items of an output in that form, blank texts left out; null when it is ordinary JSON. */
export function contentItemsOf(output: unknown): (MediaItem | TextItem)[] | null {
  if (!isFields(output) || output['type'] !== 'content' || !Array.isArray(output['value'])) return null
  const items = output['value'] as unknown[]
  if (!items.every(isItem)) return null
  const said = items.filter((item) => item.type === 'media' || item.text.trim() !== '')
  return said.length === 0 ? null : said
}

function isItem(item: unknown): item is MediaItem | TextItem {
  if (!isFields(item)) return false
  if (item['type'] === 'text') return typeof item['text'] === 'string'
  return item['type'] === 'media' && typeof item['data'] === 'string' && typeof item['mediaType'] === 'string'
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
