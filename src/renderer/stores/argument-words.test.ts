import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentWords, textOfWords } from './argument-words.ts'

describe('typed arguments', () => {
  it.each([
    ['', []],
    ['   ', []],
    ['--add-dir ../lib  --verbose\n-v', ['--add-dir', '../lib', '--verbose', '-v']],
    [`--name "two words" 'and "these"'`, ['--name', 'two words', 'and "these"']],
    [`a"b c"d`, ['ab cd']],
    [`"" ''`, ['', '']],
    [`"a \\" b" a\\ b \\\\`, ['a " b', 'a b', '\\']],
    [`'a\\' "c:\\new"`, ['a\\', 'c:\\new']],
    ['C:\\dir\\file', ['C:\\dir\\file']],
    ['$HOME *.ts ~ `id` $(id) ; | &', ['$HOME', '*.ts', '~', '`id`', '$(id)', ';', '|', '&']]
  ])('%j', (text, words) => {
    expect(argumentWords(text)).toEqual(words)
  })

  it('reports a quote that is not closed', () => {
    expect(argumentWords(`--name "two words`)).toBe('Unclosed quote: "')
    expect(argumentWords(`it's`)).toBe("Unclosed quote: '")
  })

  it('parses what it writes', () => {
    const unit = fc.constantFrom('a', ' ', '\n', "'", '"', '\\', '-', '界', '$')
    fc.assert(
      fc.property(fc.array(fc.string({ unit, maxLength: 8 }), { maxLength: 5 }), (words) => {
        expect(argumentWords(textOfWords(words))).toEqual(words)
      })
    )
  })
})
