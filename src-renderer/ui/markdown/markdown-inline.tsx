// Owns how inline tokens are drawn: React elements only, so HTML in a text is text.
import { useContext } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import type { MarkedToken, Token } from 'marked'
import { decodeEntities } from './entities'
import { MarkdownActionsContext } from './markdown-actions'
import { MarkdownImage } from './markdown-image'
import { safeLinkUrl } from './safe-url'

export function Inline({ tokens }: { readonly tokens: readonly Token[] | undefined }): ReactNode {
  return tokens?.map((token, index) => <InlineToken key={index} token={token as MarkedToken} />)
}

function InlineToken({ token }: { readonly token: MarkedToken }): ReactNode {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? decodeEntities(token.text) : <Inline tokens={token.tokens} />
    case 'escape':
      return token.text
    case 'codespan':
      return <code>{token.text}</code>
    case 'strong':
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      )
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      )
    case 'del':
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      )
    case 'br':
      return <br />
    case 'html':
      return /^<br\s*\/?>$/i.test(token.text) ? <br /> : token.text
    case 'link':
      return (
        <MarkdownLink href={decodeEntities(token.href)} title={token.title ?? null}>
          <Inline tokens={token.tokens} />
        </MarkdownLink>
      )
    case 'image':
      return <MarkdownImage href={decodeEntities(token.href)} alt={decodeEntities(token.text)} />
    default:
      return token.raw
  }
}

function MarkdownLink(props: { readonly href: string; readonly title: string | null; readonly children: ReactNode }) {
  const { onOpenLink } = useContext(MarkdownActionsContext)
  const url = safeLinkUrl(props.href)
  if (url === null) return <span title={props.href}>{props.children}</span>
  const open = (event: MouseEvent) => {
    event.preventDefault()
    onOpenLink(url)
  }
  const ignore = (event: MouseEvent) => event.preventDefault()
  // The address is shown, since the words of a link may say something else.
  return (
    <a href={url} title={props.title ?? url} rel="noreferrer" onClick={open} onAuxClick={ignore}>
      {props.children}
    </a>
  )
}
