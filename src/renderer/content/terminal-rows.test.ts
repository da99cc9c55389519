import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutTerminalSequences } from '#core/index/terminal-sequences.ts'
import { textOfSpans } from './terminal-line.ts'
import { TerminalRows } from './terminal-rows.ts'

const ESC = '\u001b'

function read(text: string, everyStep = false, columns = Infinity, step = Infinity): TerminalRows {
  const rows = new TerminalRows(text, { columns, everyStep })
  while (!rows.done) rows.read(step)
  return rows
}

/** The displayed rows. */
const shown = (rows: TerminalRows) => Array.from({ length: rows.count }, (_, row) => textOfSpans(rows.spansOf(row)))
/** The spans of the first row: text, then its styles. */
const spans = (text: string, row = 0) =>
  read(text)
    .spansOf(row)
    .map(({ text: own, style }) => [
      own,
      ...Object.entries(style).flatMap(([name, value]) => (value ? [name, value] : []))
    ])

describe('styles', () => {
  it('reads 8, bright, 256 and true colors', () => {
    expect(spans(`${ESC}[31mred${ESC}[0m ${ESC}[92mgreen${ESC}[39m plain`)).toEqual([
      ['red', 'fg', 'red'],
      [' '],
      ['green', 'fg', 'bright-green'],
      [' plain']
    ])
    expect(spans(`${ESC}[38;5;208mx${ESC}[48;5;244my${ESC}[38;2;1;2;3mz`)).toEqual([
      ['x', 'fg', '255, 135, 0'],
      ['y', 'fg', '255, 135, 0', 'bg', '128, 128, 128'],
      ['z', 'fg', '1, 2, 3', 'bg', '128, 128, 128']
    ])
    expect(spans(`${ESC}[38:2::9:8:7mz`)).toEqual([['z', 'fg', '9, 8, 7']])
  })

  it('reads weights and their resets', () => {
    expect(spans(`${ESC}[1;3;4mall${ESC}[22;23mline${ESC}[24m.`)).toEqual([
      ['all', 'bold', true, 'italic', true, 'underline', true],
      ['line', 'underline', true],
      ['.']
    ])
    expect(spans(`${ESC}[7;31mturned${ESC}[27m${ESC}[2;9mdim`)).toEqual([
      ['turned', 'fg', 'red', 'inverse', true],
      ['dim', 'fg', 'red', 'dim', true, 'struck', true]
    ])
  })

  it('continues a style in the next line', () => {
    expect(spans(`${ESC}[1;38;5;208mone\ntwo${ESC}[m\nthree`, 1)).toEqual([['two', 'fg', '255, 135, 0', 'bold', true]])
    expect(spans(`${ESC}[1;38;5;208mone\ntwo${ESC}[m\nthree`, 2)).toEqual([['three']])
  })

  it('ignores unknown and broken codes', () => {
    expect(spans(`${ESC}[999mx${ESC}[38;5mz${ESC}[38;2;300;0;0my`)).toEqual([['xzy']])
  })
})

describe('the final state of a terminal', () => {
  it('omits titles, links, device strings and moves between lines', () => {
    expect(
      shown(read(`${ESC}]0;title\u0007a${ESC}]8;;https://x.y${ESC}\\link${ESC}]8;;${ESC}\\${ESC}[2A${ESC}[?25lb`))
    ).toEqual(['alinkb'])
  })

  it('shows the final state of an overwritten line', () => {
    expect(shown(read('10 %\r50 %\r100 %\nnext'))).toEqual(['100 %', 'next'])
    expect(shown(read('a long line\rshort'))).toEqual(['shortg line'])
    expect(shown(read(`a long line\r${ESC}[Kshort`))).toEqual(['short'])
    expect(shown(read(`a long line${ESC}[2K${ESC}[1Gshort`))).toEqual(['short'])
    expect(shown(read('abc\b\bX'))).toEqual(['aXc'])
    expect(shown(read(`a${ESC}[3Cb`))).toEqual(['a   b'])
  })

  it('handles Windows line ends', () => {
    const rows = read('one\r\ntwo\r\r\n')
    expect(shown(rows)[0]).toBe('one')
    expect(rows.rewritten).toBe(0)
  })

  it('shows every step on demand, and counts lines with steps', () => {
    const rows = read('10 %\r50 %\r100 %\nnext', true)
    expect(shown(rows)).toEqual(['10 %␍', '50 %␍', '100 %', 'next'])
    expect([rows.rewritten, rows.lines]).toEqual([1, 2])
  })
})

describe('malicious output', () => {
  it('is bounded in sequences, columns and repeated decorations per row', () => {
    const many = read(`${ESC}[1m${ESC}[31ma`.repeat(20_000))
    for (let row = 0; row < many.count; row++) {
      expect(many.endOf(row) - many.startOf(row)).toBeLessThan(3000)
      expect(many.spansOf(row).length).toBeLessThan(200)
    }
    expect(shown(many).join('')).toBe('a'.repeat(20_000))
  })

  it('is read in bounded steps, also in one endless line', () => {
    const rows = new TerminalRows(`${ESC}[32mx`.repeat(100_000), { columns: Infinity, everyStep: false })
    rows.read(10_000)
    expect(rows.done).toBe(false)
    expect(rows.count).toBeLessThan(5)
  })
})

describe('any text', () => {
  const unit = fc.constantFrom(
    'a',
    'b',
    ' ',
    '\n',
    '\r\n',
    '界',
    '🌍',
    ESC,
    `${ESC}[31m`,
    `${ESC}[0m`,
    `${ESC}[4:3m`,
    `${ESC}[K`,
    '[',
    ';',
    '3',
    'm'
  )

  it('loses only sequences', () => {
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 200 }),
        fc.constantFrom(Infinity, 12),
        fc.integer({ min: 1, max: 500 }),
        (text, columns, step) => {
          const rows = read(text, true, columns, step)
          let joined = ''
          for (let row = 0; row < rows.count; row++) {
            joined +=
              (row > 0 && !rows.continues(row) ? '\n' : '') +
              rows
                .spansOf(row)
                .map((span) => span.text)
                .join('')
          }
          const plain = withoutTerminalSequences(text).replaceAll('\r\n', '\n')
          expect(joined).toBe(text.endsWith('\n') ? plain.slice(0, -1) : plain)
        }
      )
    )
  })

  it('is shown the same for steps of any size', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(unit, fc.constantFrom('\r', '\b', `${ESC}[3D`, `${ESC}[1G`)) }),
        fc.integer({ min: 1, max: 99 }),
        (text, step) => {
          expect(shown(read(text, false, Infinity, step))).toEqual(shown(read(text)))
        }
      )
    )
  })
})
