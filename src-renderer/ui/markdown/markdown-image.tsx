// Owns images in Markdown: bytes in the text are shown, a remote image waits until the person asks for it,
// since loading it would tell its server that the text was read.
import { Image } from 'lucide-react'
import { useState } from 'react'
import { imageSourceOf } from './safe-url'

type Loading = 'blocked' | 'asked' | 'failed'

export function MarkdownImage({ href, alt }: { readonly href: string; readonly alt: string }) {
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
  return (
    <button type="button" className="markdown-image-note" onClick={() => setLoading('asked')}>
      <Image size={14} aria-hidden />
      {loading === 'failed' ? 'Could not load the image from' : 'Load the image from'} {source.host}
      {alt !== '' && <span className="text-quiet">{alt}</span>}
    </button>
  )
}
