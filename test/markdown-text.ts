import fc from 'fast-check'
import { marked } from 'marked'

/** Random Markdown with words in every place of which a reader may make nothing, and what is left of its words. */

const word = fc.stringMatching(/^[a-zé世]{1,6}\d{0,2}$/)
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((each) => each.join(' '))

/** A text with `@` where a word is put. */
function withWords(...shapes: string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...shapes), fc.array(words, { minLength: 5, maxLength: 5 }))
    .map(([shape, each]) => shape.replace(/@/g, () => each.pop() ?? 'x'))
}

const inText = withWords(
  ...['@', '@', '@ @', '**@**', '*@*', '_@_', '__@__', '~~@~~', '~@~', '`@`', '``@`@``', '```@```', '`@', '```', '**@'],
  ...[
    '[@](https://a.b/x)',
    '[@](@)',
    '[@](<@>)',
    '[@](https://a.b "@")',
    "[@](/@ '@')",
    '[@](@ (@))',
    '[@][@]',
    '[@][]'
  ],
  ...['[@]', '[^@]', '![@](@)', '![@](https://a.b/c.png "@")', '![@][@]', '![@]', '[![@](@)](@ "@")', '[x]', '[ ]'],
  ...['<https://a.b/@>', 'https://a.b/@', 'www.a.b/@', '<@@a.b>', '@@a.bc', '<b>@</b>', '<a href="@">@</a>', '<br>'],
  ...[
    '<!-- @ -->',
    '<? @ ?>',
    '<@',
    '&amp;',
    '&lt;@&gt;',
    '&#65;',
    '&@;',
    '&copy;',
    '\\',
    '\\*@\\*',
    '\\@',
    '|',
    '\\|'
  ],
  ...[':-', '-', '===', '$@$', '@: @', '\t', '  ', '\u0000', '\u001b[31m@\u001b[0m', '\r', '"@"', "'@'", '(@)']
)
const inline = fc
  .array(inText, { minLength: 1, maxLength: 5 })
  .chain((parts) => fc.constantFrom(' ', ' ', '').map((between) => parts.join(between)))

const start = fc.constantFrom(
  ...[
    '',
    '',
    '',
    '',
    ' ',
    '  ',
    '   ',
    '    ',
    '      ',
    '\t',
    '> ',
    '>',
    '- ',
    '-   ',
    '* ',
    '+ ',
    '1. ',
    '3) ',
    '10. '
  ],
  ...['  - ', '   1. ', '    - ', '> > ', '> - ', '- > ', '- - ', '- [ ] ', '- [x] ', '1. [X] ']
)

const block = fc.oneof(
  { weight: 4, arbitrary: inline },
  {
    weight: 3,
    arbitrary: withWords(
      '```',
      '```',
      '~~~',
      '````',
      '```@',
      '```@ @',
      '``` @ @',
      '~~~@ ` @',
      '```ts',
      '```sh @',
      '```@ @```'
    )
  },
  {
    weight: 2,
    arbitrary: withWords('| @ | @ |', '|---|:-:|', '| @ | @ | @ | @ |', '@ | @', '--|--', '|@', '| `@ | @` |', '|-|')
  },
  {
    weight: 2,
    arbitrary: withWords('# @', '#@', '## @ ##', '# @ #@', '###### @', '####### @', '===', '---', '- - -', '***', '--')
  },
  {
    weight: 2,
    arbitrary: withWords(
      '[@]: @',
      '[@]: <@> "@"',
      "[@]: /@ '@'",
      '[@]:',
      '[a]: @',
      '[a]: @ "@"',
      '[^@]: @',
      '[^a]: @ @',
      '"@"'
    )
  },
  {
    weight: 1,
    arbitrary: withWords(
      '<div>',
      '</div>',
      '<div>@',
      '<!-- @',
      '@ -->',
      '<script>@',
      '<pre>',
      '<![CDATA[@',
      '<?@',
      '<@>',
      '<details><summary>@'
    )
  },
  { weight: 1, arbitrary: fc.constant('') }
)

const line = fc.tuple(start, block).map((parts) => parts.join(''))

/** A prompt or an answer as people and models write them, and worse. */
export const markdownText: fc.Arbitrary<string> = fc
  .array(line, { minLength: 1, maxLength: 14 })
  .chain((lines) => fc.constantFrom('\n', '\n', '\n', '\n\n', '\r\n').map((between) => lines.join(between)))

/** The letters and digits of a text, which no reader of Markdown may change. */
export function lettersOf(text: string): string {
  return text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '')
}

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The text that a reader of a report sees: no addresses behind words, no info strings, the numbers of lists as counted. */
export function readText(markdown: string): string {
  const lists: (number | null)[] = []
  let text = ''
  for (const [at, part] of marked
    .parse(markdown, { async: false })
    .split(/(<[^>]*>)/)
    .entries()) {
    const number = lists.at(-1) ?? null
    if (at % 2 === 0)
      text += part.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name) => references[String(name)] ?? whole)
    else if (part.startsWith('<ol')) lists.push(Number(/start="(\d+)"/.exec(part)?.[1] ?? 1))
    else if (part.startsWith('<ul')) lists.push(null)
    else if (/^<\/[ou]l/.test(part)) lists.pop()
    else if (part.startsWith('<li') && number !== null) {
      text += ` ${number} `
      lists[lists.length - 1] = number + 1
    }
  }
  return text
}
