import { Fragment, type ReactNode } from 'react'
import type { MarkedToken, Token, Tokens } from 'marked'
import { CopyButton } from '../ui/button.tsx'
import { withPictures } from '../ui/display-text.ts'
import { formatPlural } from '../ui/format.ts'
import { Code } from './code.tsx'
import { languageOfFence } from './code-language.ts'
import { restOfRow } from './markdown-pieces.ts'
import { type DrawnPiece, knownTokens, withoutReferences } from './markdown-tokens.ts'
import { safeAddress, SafeLink } from './safe-link.tsx'
import { LineList } from './line-list.tsx'

/** Rendered rows of a table. */
const maxRows = 500

/** A piece of markdown as elements. Its content is never inserted as HTML, and nothing is fetched. */
export function MarkdownPieceView({ piece }: { piece: DrawnPiece }) {
  if (piece.kind === 'plain') {
    return (
      <div className="md-block">
        <p className="md-note more">Shown as plain text. Parsing this Markdown could take too long.</p>
        <LineList label="Text" text={piece.text} wrap />
      </div>
    )
  }
  if (piece.kind === 'code') return <CodeBlock info={piece.info} code={piece.code} />
  return (
    <>
      <Blocks tokens={piece.tokens} />
      {piece.hiddenColumns > 0 && (
        <p className="md-note">{formatPlural(piece.hiddenColumns, 'more column')} not shown.</p>
      )}
    </>
  )
}

function Blocks({ tokens }: { tokens: readonly Token[] | undefined }) {
  return knownTokens(tokens).map((token, position) => <Fragment key={position}>{block(token)}</Fragment>)
}

function block(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'space':
      return null
    case 'heading':
      return (
        <div
          className="md-heading"
          dir="auto"
          role="heading"
          aria-level={Math.min(6, token.depth + 2)}
          data-depth={token.depth}
        >
          <Inline tokens={token.tokens} />
        </div>
      )
    case 'paragraph':
      return (
        <p className="md-paragraph" dir="auto">
          <Inline tokens={token.tokens} />
        </p>
      )
    case 'code':
      return <CodeBlock info={token.lang ?? ''} code={token.text} />
    case 'blockquote':
      return (
        <blockquote className="md-quote vstack t2" dir="auto">
          <Blocks tokens={token.tokens} />
        </blockquote>
      )
    case 'list':
      return <List list={token} />
    case 'table':
      return <Table table={token} />
    case 'hr':
      return <hr className="md-rule" />
    case 'html':
      return (
        <p className="md-html" dir="auto">
          {withPictures(token.raw.trimEnd())}
        </p>
      )
    default:
      return inline(token)
  }
}

/** What follows a fence is a label if it is one word, which mostly is a language; else it is text. */
function CodeBlock({ info, code }: { info: string; code: string }) {
  const language = languageOfFence(info)
  const isLabel = info !== '' && !/\s/.test(info)
  return (
    <>
      {info !== '' && !isLabel && (
        <p className="md-paragraph" dir="auto">
          {withPictures(info)}
        </p>
      )}
      {(isLabel || code.trim() !== '' || info === '') && (
        <div className="md-block">
          <span className="md-copy on-hover">
            <CopyButton what="code" text={() => code} />
          </span>
          {isLabel && <p className="md-note more">{withPictures(info)}</p>}
          <Code label={language === null ? 'Code' : `Code, ${language}`} text={code} language={language ?? undefined} />
        </div>
      )}
    </>
  )
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, position) => (
    <li key={position} className="md-item" data-task={item.task || undefined}>
      {list.ordered && <span className="md-number t3">{/^\s*\d+[.)]/.exec(item.raw)?.[0].trim()}</span>}
      <Blocks tokens={item.tokens} />
    </li>
  ))
  return list.ordered ? <ol dir="auto">{items}</ol> : <ul dir="auto">{items}</ul>
}

function Table({ table }: { table: Tokens.Table }) {
  const left = table.rows.length - maxRows
  // The parser drops cells beyond the columns of the head.
  const rests = table.raw.split('\n', maxRows + 2).map((row) => restOfRow(row, table.header.length))
  return (
    <>
      <div className="md-table" role="group" aria-label="Table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {table.header.map((cell, position) => (
                <th key={position} dir="auto" scope="col" data-align={cell.align ?? undefined}>
                  <Inline tokens={cell.tokens} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.slice(0, maxRows).map((row, position) => (
              <tr key={position}>
                {row.map((cell, column) => (
                  <td key={column} dir="auto" data-align={cell.align ?? undefined}>
                    <Inline tokens={cell.tokens} />
                  </td>
                ))}
                {rests[position + 2] !== undefined && rests[position + 2] !== '' && (
                  <td className="t3">{withPictures(rests[position + 2] ?? '')}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && <p className="md-note">{formatPlural(left, 'more row')} not shown.</p>}
    </>
  )
}

function Inline({ tokens }: { tokens: readonly Token[] | undefined }) {
  return knownTokens(tokens).map((token, position) => <Fragment key={position}>{inline(token)}</Fragment>)
}

function inline(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? shown(token.text) : <Inline tokens={token.tokens} />
    case 'escape':
      return withPictures(token.text)
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
    case 'codespan':
      return <code className="md-code">{withPictures(token.text)}</code>
    case 'br':
      return <br />
    case 'checkbox':
      return (
        <input
          type="checkbox"
          className="md-task"
          checked={token.checked}
          disabled
          aria-label={token.checked ? 'done' : 'to do'}
        />
      )
    case 'link':
      return <Link link={token} />
    case 'image':
      return (
        <span className="t3 md-image">
          image: {shown(token.text)} ({withPictures(targetOf(token))})
        </span>
      )
    case 'html':
      return <span className="md-html">{withPictures(token.raw)}</span>
    default:
      return withPictures(token.raw)
  }
}

/** A link with its target beside it, unless it is a link whose text is the target: it must not seem to lead elsewhere. */
function Link({ link }: { link: Tokens.Link }) {
  const address = safeAddress(link.href)
  const text = <Inline tokens={link.tokens} />
  const target = targetOf(link)
  return (
    <>
      {address === null ? text : <SafeLink address={address}>{text}</SafeLink>}
      {link.raw.startsWith('[') && (address === null || target !== link.text) && (
        <>
          {' '}
          <span className={address === null ? 't3' : 't3 md-target'}>({withPictures(target)})</span>
        </>
      )}
    </>
  )
}

function targetOf({ href, title }: Tokens.Link | Tokens.Image): string {
  return title ? `${href} "${title}"` : href
}

function shown(text: string): string {
  return withPictures(withoutReferences(text))
}
