// Owns how block tokens are drawn. A block is drawn again only when its token is another object.
import { memo } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import type { MarkedToken, Token, Tokens } from 'marked'
import { CodeBlock } from '../code-block'
import { ScrollBox } from '../scroll-box'
import { directionOf } from '../text-direction'
import { decodeEntities } from './entities'
import { Inline } from './markdown-inline'

export interface MarkdownBlockProps {
  readonly token: Token
  /** The text may still grow in this block: it is not worth highlighting yet. */
  readonly growing: boolean
}

export const MarkdownBlock = memo(function MarkdownBlock({ token, growing }: MarkdownBlockProps): ReactNode {
  const block = token as MarkedToken
  switch (block.type) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Inline tokens={block.tokens} />
        </p>
      )
    case 'heading':
      return <Heading token={block} />
    case 'code':
      return <CodeBlock code={block.text} language={block.lang ?? ''} settled={!growing} />
    case 'list':
      return <List token={block} growing={growing} />
    case 'blockquote':
      return (
        <blockquote dir={directionOf(block.text)}>
          <Blocks tokens={block.tokens} growing={growing} />
        </blockquote>
      )
    case 'table':
      return <Table token={block} />
    case 'hr':
      return <hr />
    case 'space':
    case 'def':
      return null
    case 'html':
      return <p className="markdown-html">{block.text.trim()}</p>
    case 'text':
      return block.tokens === undefined ? decodeEntities(block.text) : <Inline tokens={block.tokens} />
    default:
      return <Inline tokens={[block]} />
  }
})

function Blocks({ tokens, growing }: { readonly tokens: readonly Token[]; readonly growing: boolean }): ReactNode {
  return tokens.map((token, index) => (
    <MarkdownBlock key={index} token={token} growing={growing && index === tokens.length - 1} />
  ))
}

function Heading({ token }: { readonly token: Tokens.Heading }) {
  // Below the transcript's own heading levels; the weight is the style sheet's.
  const Tag = (['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const)[token.depth - 1] ?? 'h6'
  return (
    <Tag dir="auto" data-depth={token.depth}>
      <Inline tokens={token.tokens} />
    </Tag>
  )
}

function List({ token, growing }: { readonly token: Tokens.List; readonly growing: boolean }) {
  const items = token.items.map((item, index) => (
    <li key={index} data-task={item.task || undefined} data-loose={item.loose || undefined}>
      <ListItemBody item={item} growing={growing && index === token.items.length - 1} />
    </li>
  ))
  if (!token.ordered) return <ul dir={directionOf(token.raw)}>{items}</ul>
  const start = token.start === '' ? 1 : token.start
  // Room for the widest number, so that a list past 99 keeps its digits inside.
  const digits = String(start + token.items.length - 1).length
  return (
    <ol dir={directionOf(token.raw)} start={start} style={{ '--digits': digits } as CSSProperties}>
      {items}
    </ol>
  )
}

function ListItemBody({ item, growing }: { readonly item: Tokens.ListItem; readonly growing: boolean }): ReactNode {
  return item.tokens.map((token, index) =>
    token.type === 'checkbox' ? (
      <input key={index} type="checkbox" checked={token['checked'] === true} readOnly disabled aria-label="Done" />
    ) : (
      <MarkdownBlock key={index} token={token} growing={growing && index === item.tokens.length - 1} />
    )
  )
}

function Table({ token }: { readonly token: Tokens.Table }) {
  return (
    <ScrollBox label="Table" className="markdown-table">
      <table dir={directionOf(token.raw)}>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} dir="auto" scope="col" style={alignOf(cell)}>
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} dir="auto" style={alignOf(cell)}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function alignOf(cell: Tokens.TableCell): CSSProperties | undefined {
  return cell.align === null ? undefined : { textAlign: cell.align }
}
