import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readOutput } from './read-output.ts'

describe('what a tool read from a file', () => {
  test('lines with arrows, and text after them', () => {
    const output = '    9→a\n   10→\tb\n   11→\n\n<system-reminder>\nBe careful.\n</system-reminder>\n'
    expect(readOutput(output, 1)).toEqual({
      before: '',
      first: 9,
      text: 'a\n\tb\n',
      after: '<system-reminder>\nBe careful.\n</system-reminder>'
    })
  })

  test('lines with tabs, and with L numbers', () => {
    expect(readOutput('1\t# A\n2\tb', 1)).toMatchObject({ first: 1, text: '# A\nb' })
    expect(readOutput('L7: a\nL8: b\n', 1)).toMatchObject({ first: 7, text: 'a\nb' })
  })

  test('a snippet that an edit shows, after the sentence that announces it', () => {
    const said =
      "The file /a.go has been updated. Here's the result of running `cat -n` on a snippet of the edited file:"
    expect(readOutput(`${said}\n    15→a\n    16→b`, 1)).toEqual({ before: said, first: 15, text: 'a\nb', after: '' })
  })

  test('a part of a file without numbers, whose first line the head or the call states', () => {
    const head = 'IMPORTANT: The file content has been truncated.\nStatus: Showing lines 21-22 of 90 total lines.\n'
    const output = `${head}Action: read on.\n\n--- FILE CONTENT (truncated) ---\nx\ny`
    expect(readOutput(output, 1)).toMatchObject({ first: 21, text: 'x\ny' })
    expect(readOutput('x\ny', 40)).toEqual({ before: '', first: 40, text: 'x\ny', after: '' })
  })

  test('a text that only begins like a numbered one stays whole', () => {
    for (const text of ['1\tone\n7\tseven', '2024 was\na year', '12', '5\tcolumns\tof a table'])
      expect(readOutput(text, 1)).toMatchObject({ first: 1, text })
  })

  test('numbers put before any lines are taken off again', () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\n\r]/.test(text))
    fc.assert(
      fc.property(fc.array(line, { minLength: 2 }), fc.nat(100_000), (lines, first) => {
        const output = lines.map((text, at) => `${String(first + at).padStart(6)}→${text}`).join('\n')
        expect(readOutput(output, 1)).toEqual({ before: '', first, text: lines.join('\n'), after: '' })
      })
    )
  })

  test('any text is returned whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (output) => {
        const { before, text, after } = readOutput(output, 1)
        expect(before.length + text.length + after.length).toBeLessThanOrEqual(output.length)
      })
    )
  })
})
