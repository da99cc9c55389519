import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MarkdownPiece, MarkdownPieces } from './markdown-pieces.ts'

function piecesOf(text: string): MarkdownPiece[] {
  const source = new MarkdownPieces(text)
  const pieces: MarkdownPiece[] = []
  while (!source.done) pieces.push(source.next())
  return pieces
}

const joined = (pieces: readonly MarkdownPiece[]) => pieces.map(({ text }) => text).join('')
const paragraph = `${'word '.repeat(300)}\n\n`

describe('MarkdownPieces', () => {
  it('cuts between blocks, never inside a short one', () => {
    const text = paragraph.repeat(20)
    const pieces = piecesOf(text)
    expect(pieces.length).toBeGreaterThan(4)
    for (const { text: own } of pieces) expect(own.startsWith('word')).toBe(true)
    expect(joined(pieces)).toBe(text)
  })

  it('keeps a fence together, closed or unclosed', () => {
    const code = `${'let x = 1\n\n'.repeat(600)}`
    expect(piecesOf(`Text\n\n\`\`\`ts\n${code}\`\`\`\nafter`)).toMatchObject([{ kind: 'blocks' }])
    const long = piecesOf(`\`\`\`ts\n${code.repeat(10)}\`\`\`\nafter`)
    expect(long).toMatchObject([{ kind: 'code', info: 'ts', code: code.repeat(10).slice(0, -1) }, { kind: 'blocks' }])
    const open = piecesOf(`~~~\n${code.repeat(10)}`)
    expect(open).toMatchObject([{ kind: 'code', info: '', code: code.repeat(10) }])
  })

  it('cuts a table with too many columns, and counts them', () => {
    const row = (cell: string) => `|${`${cell}|`.repeat(10_000)}\n`
    const text = `Before\n\n${row('head')}${row('-')}${row('a').repeat(30)}\nAfter`
    const pieces = piecesOf(text)
    const [before, table] = pieces
    expect(before).toMatchObject({ kind: 'blocks', hiddenColumns: 0 })
    expect(table).toMatchObject({ kind: 'blocks', hiddenColumns: 9950 })
    if (table?.kind !== 'blocks') throw new Error('no table')
    const rows = table.source.trim().split('\n')
    expect(rows).toHaveLength(32)
    for (const line of rows) expect(line.split('|').length - 2).toBe(50)
    expect(joined(pieces)).toBe(text)
  })

  it('continues a long table under its head', () => {
    const text = `a|${'b|'.repeat(60)}\n-|${'-|'.repeat(60)}\n${`x|${'y|'.repeat(60)}\n`.repeat(400)}`
    const pieces = piecesOf(text)
    expect(pieces.length).toBeGreaterThan(2)
    for (const piece of pieces) if (piece.kind === 'blocks') expect(piece.source.startsWith('a|b')).toBe(true)
    expect(joined(pieces)).toBe(text)
  })

  it.each([
    ['brackets', '['],
    ['stars', '*a '],
    ['quotes', '>'],
    ['lists', '- '],
    ['numbers', '1. '],
    ['underscores', '__a__b'],
    ['images', '!['],
    ['tags', '<a ']
  ])('takes 100,000 nested %s for text', (_, unit) => {
    const pieces = piecesOf(unit.repeat(100_000))
    expect(pieces.map(({ kind }) => kind)).toEqual(['plain'])
  })

  it('never parses more than a bounded length', () => {
    for (const { kind, text } of piecesOf('- item of a list without a blank line\n'.repeat(5000))) {
      if (kind === 'blocks') expect(text.length).toBeLessThanOrEqual(8192)
    }
  })

  it('shows a table head or row as text if it is too long for a piece', () => {
    const delimiter = '-|'.repeat(60)
    const long = `${'x'.repeat(9000)}|${'h|'.repeat(59)}`
    expect(piecesOf(`${long}\n${delimiter}\na|b`).map(({ kind }) => kind)).toContain('plain')
    const pieces = piecesOf(
      `${'h|'.repeat(60)}\n${delimiter}\n${'a|'.repeat(60)}\n${long}\n${'b|'.repeat(60)}\n\nafter`
    )
    expect(pieces.map(({ kind }) => kind)).toEqual(['blocks', 'plain', 'blocks', 'blocks'])
    for (const piece of pieces) if (piece.kind === 'blocks') expect(piece.source.length).toBeLessThanOrEqual(8192)
  })

  it('keeps every character of any text', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\n\n',
      '```',
      '~~~',
      '|',
      '-',
      '\n|-|-|\n',
      '> ',
      '* ',
      '\\',
      'word '.repeat(1000),
      '|a'.repeat(80),
      '\n|-'.repeat(1),
      '|-'.repeat(80)
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (parts) => {
        const text = parts.join('')
        expect(joined(piecesOf(text))).toBe(text)
      })
    )
  })
})
