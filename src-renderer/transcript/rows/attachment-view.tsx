// Owns an attachment in a message: an image as a picture of fixed place, so that nothing moves when it
// comes; anything else as a chip with name and size.
import { FileText, Image, ImageOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { FilePart } from '@common/rows/row-schema'
import { Dialog } from '../../ui/dialog'
import { bytesText } from '../../ui/format'
import { useTranscriptActions } from '../transcript-actions'

const DRAWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

export function AttachmentView({ part }: { readonly part: FilePart }) {
  return DRAWN.has(part.mediaType) ? <ImageAttachment part={part} /> : <FileChip part={part} />
}

function FileChip({ part }: { readonly part: FilePart }) {
  return (
    <span className="flex h-8 max-w-full items-center gap-2 rounded-regular border border-line px-2.5 text-small">
      <FileText size={14} aria-hidden className="shrink-0 text-quiet" />
      <span className="min-w-0 truncate">{nameOf(part)}</span>
      {part.bytes !== undefined && (
        <span className="shrink-0 text-micro text-quiet tabular-nums">{bytesText(part.bytes)}</span>
      )}
    </span>
  )
}

function ImageAttachment({ part }: { readonly part: FilePart }) {
  const loaded = useAttachmentUrl(part)
  const [open, setOpen] = useState(false)
  if (loaded.kind === 'failed')
    return (
      <span className="flex h-8 items-center gap-2 rounded-regular border border-line px-2.5 text-small text-quiet">
        <ImageOff size={14} aria-hidden /> {nameOf(part)} cannot be read
      </span>
    )
  return (
    <>
      <button
        type="button"
        aria-label={`Open ${nameOf(part)}`}
        disabled={loaded.kind === 'coming'}
        onClick={() => setOpen(true)}
        className="flex size-24 items-center justify-center overflow-hidden rounded-regular border border-line bg-sunken"
      >
        {loaded.kind === 'coming' ? (
          <Image size={16} aria-hidden className="text-quiet" />
        ) : (
          <img src={loaded.url} alt={nameOf(part)} className="size-full object-cover" />
        )}
      </button>
      {open && loaded.kind === 'here' && (
        <Dialog open wide onOpenChange={setOpen} title={nameOf(part)}>
          <img
            src={loaded.url}
            alt={nameOf(part)}
            className="mx-auto max-h-[60vh] max-w-full rounded-regular object-contain"
          />
        </Dialog>
      )}
    </>
  )
}

/** Bytes of an attachment as the page can show them. */
type Loaded =
  | { readonly kind: 'coming' }
  | { readonly kind: 'here'; readonly url: string }
  | { readonly kind: 'failed' }

/** An address for the bytes while the view is on screen. */
function useAttachmentUrl(part: FilePart): Loaded {
  const { onReadAttachment } = useTranscriptActions()
  const [loaded, setLoaded] = useState<Loaded>({ kind: 'coming' })
  const { mediaType, url } = part
  const sha256 = url.startsWith('attachment:') ? url.slice('attachment:'.length) : null
  useEffect(() => {
    if (sha256 === null) return
    let made: string | null = null
    let wanted = true
    void onReadAttachment(sha256).then((answer) => {
      if (!wanted) return
      if (!answer.ok) return setLoaded({ kind: 'failed' })
      made = URL.createObjectURL(new Blob([new Uint8Array(answer.value.bytes)], { type: mediaType }))
      setLoaded({ kind: 'here', url: made })
    })
    return () => {
      wanted = false
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [sha256, mediaType, onReadAttachment])
  return sha256 === null ? { kind: 'failed' } : loaded
}

function nameOf(part: FilePart): string {
  return part.filename ?? 'Attachment'
}
