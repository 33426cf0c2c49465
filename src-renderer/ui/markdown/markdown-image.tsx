// Owns images in Markdown: bytes in the text are shown, a remote image waits until the person asks for it,
// since loading it would tell its server that the text was read. Where the page may not load it at all
// (the app's own policy), the browser is offered instead.
import { Image } from 'lucide-react'
import { useContext, useState } from 'react'
import { MarkdownActionsContext } from './markdown-actions'
import { imageSourceOf } from './safe-url'

type Loading = 'blocked' | 'asked' | 'failed'

export function MarkdownImage({ href, alt }: { readonly href: string; readonly alt: string }) {
  const { onOpenLink } = useContext(MarkdownActionsContext)
  const [loading, setLoading] = useState<Loading>('blocked')
  const source = imageSourceOf(href)
  if (source === null)
    return <span className="markdown-image-note">{alt === '' ? 'Image' : alt} (cannot be shown)</span>
  if (source.kind === 'inline' || loading === 'asked')
    return (
      <img
        src={source.url}
        alt={alt}
        referrerPolicy="no-referrer"
        onError={() => setLoading('failed')}
        className="markdown-image"
      />
    )
  const failed = loading === 'failed'
  return (
    <button
      type="button"
      className="markdown-image-note"
      onClick={() => (failed ? onOpenLink(source.url) : setLoading('asked'))}
    >
      <Image size={14} aria-hidden />
      {failed ? 'Not shown here. Open it in the browser, from' : 'Load the image from'} {source.host}
      {alt !== '' && <span className="text-quiet">{alt}</span>}
    </button>
  )
}
