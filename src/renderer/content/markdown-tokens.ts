import { getDefaults, Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked'
import { fencedCodeAt } from '#core/markdown/fenced-code.ts'
import type { MarkdownPiece } from './markdown-pieces.ts'

/** A parsed piece of a markdown text. */
export type DrawnPiece =
  | { readonly kind: 'tokens'; readonly tokens: readonly MarkedToken[]; readonly hiddenColumns: number }
  | { readonly kind: 'code'; readonly info: string; readonly code: string }
  | { readonly kind: 'plain'; readonly text: string }

/** Reads a text so that all of it is shown. */
class LogTokenizer extends Tokenizer {
  override fences(source: string): Tokens.Code | undefined {
    const code = fencedCodeAt(source, 0)
    if (code === null) return undefined
    const text = source.slice(code.from, code.to)
    return { type: 'code', raw: source.slice(0, code.end), lang: code.info, text }
  }

  /** Link definitions are text: the parser drops a second one of a name, and references to another piece. */
  override def(): undefined {
    return undefined
  }
}

/** Parses a piece. Never throws: what cannot be parsed is text. */
export function drawnPiece(piece: MarkdownPiece): DrawnPiece {
  if (piece.kind !== 'blocks') return piece
  try {
    return {
      kind: 'tokens',
      tokens: knownTokens(new Lexer({ ...getDefaults(), tokenizer: new LogTokenizer() }).lex(piece.source)),
      hiddenColumns: piece.hiddenColumns
    }
  } catch {
    // Nested so deeply that the parser overflowed the stack.
    return { kind: 'plain', text: piece.text }
  }
}

/** Without extensions the parser only returns the tokens that its types list. */
export function knownTokens(tokens: readonly Token[] | undefined): readonly MarkedToken[] {
  return (tokens ?? []) as readonly MarkedToken[]
}

const named: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', nbsp: '\u00a0', quot: '"' }

/** Resolves HTML character references such as `&lt;` and `&#39;`. */
export function withoutReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole
    const code = typeof decimal === 'string' ? Number(decimal) : parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
