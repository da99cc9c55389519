import fc from 'fast-check'
import { marked, type Token } from 'marked'

/** Texts that try to be markup, and what a reader of Markdown makes of a text. */

/** Every token that a reader of Markdown finds, inner ones too. */
export function tokensOf(markdown: string): Token[] {
  const found: Token[] = []
  marked.walkTokens(marked.lexer(markdown), (token) => void found.push(token))
  return found
}

export function typesOf(markdown: string): Set<string> {
  return new Set(tokensOf(markdown).map(({ type }) => type))
}

/** Text made of what Markdown and HTML read. */
export const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'#*_`~[]()<>!|-+=&;:$\\"\'\n\t 0123.aZé世'.split('')),
      fc.constantFrom(
        '```',
        '~~~',
        '<script>',
        '</script>',
        '<img src=x onerror=y>',
        '![a](http://b/c.png)',
        '](javascript:x)'
      ),
      fc.constantFrom(
        '[a](data:x)',
        '<!--',
        'https://a.b',
        '\n\n',
        '\n---\n',
        '\n===\n',
        '|---|\n',
        '&lt;',
        '[x]: javascript:y\n',
        '- [ ] ',
        '1. '
      )
    ),
    { maxLength: 40 }
  )
  .map((parts) => parts.join(''))
