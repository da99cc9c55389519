import fc from 'fast-check'
import { marked, type Token, type Tokens } from 'marked'
import { describe, expect, test } from 'vitest'
import { hostileText, tokensOf, typesOf } from '../../../test/hostile-text.ts'
import { lettersOf, markdownText, readText } from '../../../test/markdown-text.ts'
import { times } from '../../../test/thorough.ts'
import { codeCell, codeSpan, escaped, escapedStart, fenced, proseLines, readable, tableRow } from './safe-markdown.ts'

test('no text brings markup of its own but for what is kept', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      for (const token of tokensOf(proseLines(text).join('\n'))) {
        expect(['html', 'image', 'heading', 'table', 'hr', 'def', 'blockquote', 'tag']).not.toContain(token.type)
        if (token.type === 'link') expect(token.href).toMatch(/^(?:https?:|mailto:)/)
      }
    }),
    { numRuns: 2000 }
  )
})

test('a report has the words of any text, in their order', () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 3, arbitrary: markdownText }, hostileText), (text) => {
      const lines = proseLines(text)
      const words = lettersOf(readable(text))
      expect(lettersOf(readText(lines.join('\n')))).toBe(words)
      // As a prompt is written.
      expect(lettersOf(readText(lines.map((line) => `> ${line}`.trimEnd()).join('\n')))).toBe(words)
    }),
    { numRuns: times(1000, 20_000) }
  )
})

test('a line of text reads as what it is', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      for (const line of [escapedStart(text), `a ${escaped(text)}`]) {
        const types = typesOf(line)
        for (const type of [
          'html',
          'image',
          'heading',
          'code',
          'codespan',
          'strong',
          'em',
          'del',
          'list',
          'table',
          'hr',
          'blockquote',
          'def'
        ]) {
          expect(types, line).not.toContain(type)
        }
      }
    }),
    { numRuns: 2000 }
  )
})

test('code is a block of its own with the very text, whatever it is', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const [block, ...more] = marked.lexer(fenced(text, 'ts').join('\n'))
      expect(more).toEqual([])
      expect(block).toMatchObject({ type: 'code', lang: 'ts' })
      const code = block !== undefined && 'text' in block ? String(block.text) : ''
      expect(withoutEnds(code)).toBe(withoutEnds(readable(text)))
      expect(typesOf(`${codeSpan(text)}.`)).not.toContain('html')
    })
  )
  expect(fenced('a', 'x">\n')[0]).toBe('```')
})

function withoutEnds(text: string): string {
  return text.replace(/^\n+|\n+$/g, '')
}

describe('prose', () => {
  const prose = (text: string): string => proseLines(text).join('\n')

  test('paragraphs, code, bold words, lists and links are kept', () => {
    expect(prose('Use `a|b` and **c_d**:\n\n- one\n  - two\n1. three')).toBe(
      'Use `a|b` and **c_d**:\n\n- one\n   - two\n1. three'
    )
    expect(prose('```\nlet a\n\n\n\nlet b')).toBe('```\nlet a\n\n\n\nlet b\n```')
    expect(prose('one\ntwo')).toBe('one  \ntwo')
  })

  test('what viewers hide is text: addresses, the words behind a fence', () => {
    expect(prose('[a_b](https://x.y/z?q=1) [c](javascript:alert)')).toBe(
      'a_b (<https://x.y/z?q=1>) \\[c\\](javascript:alert)'
    )
    expect(prose('[# a](https://x.y/z)')).toBe('\\# a (<https://x.y/z>)')
    expect(prose('[https://x.y/z](https://x.y/z)')).toBe('<https://x.y/z>')
    expect(prose('```js\nlet a')).toBe('`js`\n\n```js\nlet a\n```')
    expect(prose('```sh extra words\nls\n```')).toBe('sh extra words\n\n```sh\nls\n```')
    expect(prose('The end.\n```thanks')).toBe('The end.  \n\n`thanks`')
  })

  test('a line that looks like a closing fence and goes on is text', () => {
    expect(prose('It says: ```\nTypeError\n``` please fix it')).toBe(
      'It says: \\`\\`\\`  \nTypeError  \n\\`\\`\\` please fix it'
    )
    expect(prose('```\nTypeError\n``` please fix it')).toBe('```\nTypeError\n```\n\nplease fix it')
  })

  test('a number that viewers would change is text', () => {
    expect(prose('3. a\n4. b\n7. c\n8. d')).toBe('3. a\n4. b\n\n7\\. c\n\n8. d')
    expect(prose('1. a\n1. b')).toBe('1. a\n\n1\\. b')
    expect(prose('10. a\n    1. b\n11. c')).toBe('10. a\n    1. b\n11. c')
  })

  test('a list that does not begin at 1 is one after a line of text', () => {
    expect(prose('a\n10. b\n\n  - <c>')).toBe('a  \n\n10. b\n\n    - &lt;c&gt;')
    expect(prose('- a\n  2. b')).toBe('- a\n\n   2. b')
    expect(prose('a\n1. b\n2. c')).toBe('a  \n1. b\n2. c')
  })

  test('headings become bold lines, tables blocks of text', () => {
    expect(prose('# Title\ntext')).toBe('**Title**\n\ntext')
    expect(prose('# ##')).toBe('\\# ##')
    expect(prose('| a | b |\n|---|---|\n| 1 | 2 |')).toBe('```\n| a | b |\n|---|---|\n| 1 | 2 |\n```')
  })

  test.each([':-', ':-:', ' :-', ':--:', ':- '])('a line %j does not make the line before it a table', (columns) => {
    for (const text of [`a\n${columns}`, `- a\n  ${columns}`]) expect(typesOf(prose(text))).not.toContain('table')
  })

  test('blank code is text, so that what follows it does not begin a block', () => {
    expect(prose('- ```\t```# a')).toBe('- \\`\\`\\` \\`\\`\\`# a')
    expect(prose('a\n:` `-')).toBe('a  \n:\\` \\`-')
  })

  test('a fence of any length is one that its content cannot end', () => {
    expect(prose('````md\n```js\na\n```\n````')).toBe('`md`\n\n````md\n```js\na\n```\n````')
    expect(prose('~~~\n````\n~~~')).toBe('`````\n````\n`````')
  })

  test('what has no shape is shown', () => {
    expect(prose('a\u0000b\u202ec\u001b[31mred\u001b[0m')).toBe('a␀b⟨U+202E⟩cred')
  })
})

// What takes a time that grows with the square of its length would take minutes here.
describe('hostile texts take no longer than others', () => {
  const units = [
    ...[
      '`a`',
      '`a` ',
      '@`a`',
      'www.`a`',
      'http://a.b',
      '**a** ',
      '[a](http://b.c)',
      '`',
      '``',
      '**',
      '[',
      '[a](',
      '@',
      '&',
      '_',
      '!'
    ],
    ...[
      '```\n',
      '```a\n',
      '~~~\n````\n',
      '|',
      '| |\n',
      '| ',
      '# ',
      '# a\n',
      '#',
      '- ',
      '- a\n',
      '  - a\n',
      ' ',
      '\t',
      'a',
      '\n',
      '\u001b]'
    ]
  ]
  test.each(units)('%j', (unit) => {
    const many = unit.repeat(Math.ceil(200_000 / unit.length))
    for (const text of [many, `# a${many}x`, `|@${many}x`]) proseLines(text)
  })
})

test('an address is a link only where it is written as one', () => {
  for (const text of ['me@x.yz`a`', 'www.x.yz`a`&amp;', 'http://é&amp;`b`', 'HTTPS://x`c`', 'WWW.x.yz'])
    expect(typesOf(proseLines(text).join('\n'))).not.toContain('link')
})

test('an address is a link with its very characters, also in text', () => {
  const [link] = tokensOf(escaped('See https://a.b/_next/~me.')).filter(({ type }) => type === 'link')
  expect(link).toMatchObject({ href: 'https://a.b/_next/~me', text: 'https://a.b/_next/~me' })
})

describe('a bar does not end a cell', () => {
  const cells = (...row: string[]): string[] => {
    const [table, ...more] = marked.lexer(['| a | b | c |', '| - | - | - |', tableRow(row)].join('\n'))
    if (table?.type !== 'table' || more.length > 0) throw new Error(`no table of ${JSON.stringify(row)}`)
    return (table as Tokens.Table).rows[0]?.map(({ tokens }) => shown(tokens)) ?? []
  }
  const shown = (tokens: Token[]): string =>
    tokens
      .map((token) => ('tokens' in token && token.tokens ? shown(token.tokens) : 'text' in token ? token.text : ''))
      .join('')

  test.each([0, 1, 2, 3, 4])('after %d backslashes, in text and in code', (count) => {
    const text = `a${'\\'.repeat(count)}|b`
    expect(cells(escaped(text), codeCell(text), 'e')).toEqual([text, text, 'e'])
  })

  test('after a backslash that a terminal sequence parts from it', () => {
    expect(cells('a', codeCell('b\\\u001b[0m|c'), 'e')).toEqual(['a', 'b\\|c', 'e'])
  })

  test('in code of any text', () => {
    const inCell = fc.stringMatching(/^[a\\|`]*$/)
    fc.assert(
      fc.property(inCell, inCell, (text, code) => {
        expect(cells(escaped(text), codeCell(code), 'e')).toEqual([text, code, 'e'])
      })
    )
    fc.assert(fc.property(hostileText, (code) => void expect(cells('a', codeCell(code), 'e')).toHaveLength(3)))
  })
})
