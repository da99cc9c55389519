import { Lexer, type MarkedToken, type Token } from 'marked'
import type { MarkdownPiece } from './markdown-pieces.ts'

/** A piece of a markdown text as it is drawn. */
export type DrawnPiece =
  | { readonly kind: 'tokens'; readonly tokens: readonly MarkedToken[]; readonly hiddenColumns: number }
  | { readonly kind: 'code'; readonly info: string; readonly code: string }
  | { readonly kind: 'plain'; readonly text: string }

/** Reads one piece. Never throws: what cannot be read as markdown is text. */
export function drawnPiece(piece: MarkdownPiece): DrawnPiece {
  if (piece.kind !== 'blocks') return piece
  try {
    return { kind: 'tokens', tokens: knownTokens(new Lexer().lex(piece.source)), hiddenColumns: piece.hiddenColumns }
  } catch {
    // Nested so deeply that the reader ran out of stack.
    return { kind: 'plain', text: piece.text }
  }
}

/** Without extensions the reader gives no other tokens than those it names. */
export function knownTokens(tokens: readonly Token[] | undefined): readonly MarkedToken[] {
  return (tokens ?? []) as readonly MarkedToken[]
}

const named: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', nbsp: '\u00a0', quot: '"' }

/** Text with the references to characters that markdown knows from HTML, `&lt;`, `&#39;`, as these characters. */
export function withoutReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole
    const code = typeof decimal === 'string' ? Number(decimal) : parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
