import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchOutput } from './search-output.ts'

describe('what a search answered', () => {
  test('names of files', () => {
    expect(searchOutput('Found 2 files\n/a/b.ts\n/a b/c.ts')).toEqual({
      notes: ['Found 2 files'],
      files: [
        { path: '/a/b.ts', count: null, lines: [] },
        { path: '/a b/c.ts', count: null, lines: [] }
      ]
    })
    expect(searchOutput('No files found')).toEqual({ notes: ['No files found'], files: [] })
  })

  test('lines by file, and those around them', () => {
    const found = searchOutput('src/a.ts-11-before\nsrc/a.ts:12:  x: y\n--\nC:\\b.ts:3:z')
    expect(found?.files).toEqual([
      {
        path: 'src/a.ts',
        count: null,
        lines: [
          { number: 11, text: 'before', match: false },
          { number: 12, text: '  x: y', match: true }
        ]
      },
      { path: 'C:\\b.ts', count: null, lines: [{ number: 3, text: 'z', match: true }] }
    ])
  })

  test('a file that is named in two ways is one', () => {
    const found = searchOutput('/w/src/a.ts-11-before\nsrc/a.ts:12:here\n/w/src/a.ts-13-\na.ts:1:x')
    expect(found?.files.map(({ path, lines }) => [path, lines.map(({ number }) => number)])).toEqual([
      ['src/a.ts', [11, 12, 13]],
      ['a.ts', [1]]
    ])
  })

  test('lines of the one file that was searched', () => {
    expect(searchOutput('44-\t}\n45:find(')?.files).toEqual([
      {
        path: '',
        count: null,
        lines: [
          { number: 44, text: '\t}', match: false },
          { number: 45, text: 'find(', match: true }
        ]
      }
    ])
  })

  test('counts, and files under heads', () => {
    expect(searchOutput('a.ts:3\nb.ts:1\n\nFound 4 total occurrences across 2 files.')?.files).toMatchObject([
      { path: 'a.ts', count: 3 },
      { path: 'b.ts', count: 1 }
    ])
    const headed = searchOutput('Found 1 match for pattern "x" in path ".":\n---\nFile: a.ts\nL3: const x\n---')
    expect(headed?.files).toEqual([{ path: 'a.ts', count: null, lines: [{ number: 3, text: 'const x', match: true }] }])
  })

  test('any other text is none', () => {
    expect(searchOutput('ripgrep exited with an error  and so on')).toBeNull()
    expect(searchOutput('')).toBeNull()
  })

  test('no text is too much for it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (output) => void searchOutput(output)))
    expect(searchOutput(`${'a'.repeat(200_000)}`)).toBeNull()
  })
})
