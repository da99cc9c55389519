import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Line, LineSplitter, type LineSplitterOptions } from './line-splitter.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

interface TextLine extends Omit<Line, 'bytes'> {
  text: string | null
}

/** The lines of `chunks`, their bytes taken as text before the callback returns. */
function linesOf(chunks: readonly (string | Uint8Array)[], options?: LineSplitterOptions): TextLine[] {
  const lines: TextLine[] = []
  const splitter = new LineSplitter(({ bytes, ...at }) => {
    lines.push({ ...at, text: bytes === null ? null : decoder.decode(bytes) })
  }, options)
  for (const chunk of chunks) splitter.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
  splitter.end()
  return lines
}

function textsOf(...chunks: string[]): (string | null)[] {
  return linesOf(chunks).map(({ text }) => text)
}

/** `bytes` cut before each of `cuts`. */
function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end))
}

describe('lines', () => {
  test('know their number, their offset and their length in bytes', () => {
    expect(linesOf(['añ\nb\n'])).toEqual([
      { line: 1, offset: 0, length: 3, text: 'añ', terminated: true },
      { line: 2, offset: 4, length: 1, text: 'b', terminated: true }
    ])
  })

  test('an empty source has none', () => {
    expect(linesOf([])).toEqual([])
    expect(linesOf([''])).toEqual([])
  })

  test('an empty line is a line', () => {
    expect(textsOf('\n\na\n')).toEqual(['', '', 'a'])
  })

  test('a source that ends with a line feed has no line after it', () => {
    expect(textsOf('a\n')).toEqual(['a'])
  })

  test('a last line without line end is given at the end, and says so', () => {
    expect(linesOf(['a\nbc'])).toEqual([
      { line: 1, offset: 0, length: 1, text: 'a', terminated: true },
      { line: 2, offset: 2, length: 2, text: 'bc', terminated: false }
    ])
  })

  test('NUL is data', () => {
    expect(textsOf('a\0b\n\0')).toEqual(['a\0b', '\0'])
  })

  test('a character of several bytes may lie in several chunks', () => {
    const bytes = encoder.encode('ä😀\n€')
    expect(linesOf(cutAt(bytes, [...bytes.keys()])).map(({ text }) => text)).toEqual(['ä😀', '€'])
  })

  test('the caller may reuse its chunk', () => {
    const chunk = encoder.encode('ab')
    const texts: string[] = []
    const splitter = new LineSplitter(({ bytes }) => texts.push(decoder.decode(bytes ?? new Uint8Array())))
    splitter.push(chunk)
    chunk.set(encoder.encode('c\n'))
    splitter.push(chunk)
    expect(texts).toEqual(['abc'])
  })

  test('bytes are plain ones where the chunk is a Buffer, whose slice would not copy', () => {
    const seen: (Uint8Array | null)[] = []
    new LineSplitter(({ bytes }) => seen.push(bytes)).push(Buffer.from('ab\n'))
    expect(seen.map((bytes) => bytes?.constructor)).toEqual([Uint8Array])
  })
})

describe('carriage returns', () => {
  test('one before the line feed belongs to the line end', () => {
    expect(linesOf(['a\r\nb\r\n'])).toEqual([
      { line: 1, offset: 0, length: 1, text: 'a', terminated: true },
      { line: 2, offset: 3, length: 1, text: 'b', terminated: true }
    ])
  })

  test('only one', () => {
    expect(textsOf('a\r\r\n')).toEqual(['a\r'])
  })

  test('a lone one is data', () => {
    expect(textsOf('a\rb\n')).toEqual(['a\rb'])
  })

  test('the line end may lie in two chunks', () => {
    expect(textsOf('a\r', '\nb')).toEqual(['a', 'b'])
  })

  test('the one at the end of a last line without line feed is half a line end', () => {
    expect(linesOf(['a\r'])).toEqual([{ line: 1, offset: 0, length: 1, text: 'a', terminated: false }])
  })
})

describe('a byte order mark', () => {
  test('at the start of the source is no part of line 1', () => {
    expect(linesOf(['\uFEFFa\n'])).toEqual([{ line: 1, offset: 3, length: 1, text: 'a', terminated: true }])
  })

  test('also in chunks of one byte', () => {
    const bytes = encoder.encode('\uFEFFa\n')
    expect(linesOf(cutAt(bytes, [...bytes.keys()]))).toEqual(linesOf([bytes]))
  })

  test('alone is no line', () => {
    expect(linesOf(['\uFEFF'])).toEqual([])
  })

  test('before a line feed leaves an empty line', () => {
    expect(linesOf(['\uFEFF\n'])).toEqual([{ line: 1, offset: 3, length: 0, text: '', terminated: true }])
  })

  test('anywhere else is data, a second one included', () => {
    expect(textsOf('\uFEFF\uFEFFa\n\uFEFFb')).toEqual(['\uFEFFa', '\uFEFFb'])
  })

  test('cut short is data', () => {
    const mark = encoder.encode('\uFEFF').subarray(0, 2)
    expect(linesOf([mark])).toEqual([{ line: 1, offset: 0, length: 2, text: '\uFFFD', terminated: false }])
    expect(linesOf([mark, 'a\n'])).toEqual([{ line: 1, offset: 0, length: 3, text: '\uFFFDa', terminated: true }])
  })
})

describe('lines of more than maxBytes', () => {
  test('have a length and no bytes; the next line is read as ever', () => {
    expect(linesOf(['abcd\nabc\n', 'ab', 'cd\nabc'], { maxBytes: 3 })).toEqual([
      { line: 1, offset: 0, length: 4, text: null, terminated: true },
      { line: 2, offset: 5, length: 3, text: 'abc', terminated: true },
      { line: 3, offset: 9, length: 4, text: null, terminated: true },
      { line: 4, offset: 14, length: 3, text: 'abc', terminated: false }
    ])
  })

  test('a carriage return of the line end does not count', () => {
    expect(linesOf(['abc\r\nabcd\r\n'], { maxBytes: 3 }).map(({ length, text }) => [length, text])).toEqual([
      [3, 'abc'],
      [4, null]
    ])
  })

  test('a line of many chunks is joined once it ends', () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x61)
    const lines: number[] = []
    const splitter = new LineSplitter(({ bytes }) => lines.push(bytes?.length ?? -1, bytes?.lastIndexOf(0x61) ?? -1))
    for (let count = 0; count < 1600; count++) splitter.push(chunk)
    splitter.end()
    expect(lines).toEqual([1600 * chunk.length, 1600 * chunk.length - 1])
  })
})

describe('any bytes in any chunks', () => {
  // Few different bytes, so that line ends and marks meet in every way.
  const bytesOf = fc
    .array(fc.constantFrom('\n', '\r', '\uFEFF', 'a', 'é', '\0'), { maxLength: 30 })
    .chain((parts) => fc.subarray(Array.from(encoder.encode(parts.join(''))), { minLength: 0 }))
    .map((bytes) => Uint8Array.from(bytes))

  test('give the same lines as the whole', () => {
    fc.assert(
      fc.property(bytesOf, fc.array(fc.nat(60)), fc.option(fc.nat(5), { nil: undefined }), (bytes, cuts, maxBytes) => {
        const options = maxBytes === undefined ? {} : { maxBytes }
        expect(linesOf(cutAt(bytes, cuts), options)).toEqual(linesOf([bytes], options))
      }),
      { numRuns: 2000 }
    )
  })

  test('and offset and length cut each line out of the source, with nothing but line ends between', () => {
    fc.assert(
      fc.property(bytesOf, (bytes) => {
        let end = decoder.decode(bytes.subarray(0, 3)) === '\uFEFF' ? 3 : 0
        for (const { offset, length, text, terminated } of linesOf([bytes])) {
          expect(offset).toBe(end)
          expect(decoder.decode(bytes.subarray(offset, offset + length))).toBe(text)
          end = offset + length
          const lineEnd = /^\r?\n|^\r?$/.exec(decoder.decode(bytes.subarray(end, end + 2)))?.[0]
          expect(lineEnd).toBeDefined()
          expect(lineEnd?.endsWith('\n')).toBe(terminated)
          end += lineEnd?.length ?? 0
        }
        expect(end).toBe(bytes.length)
      }),
      { numRuns: 2000 }
    )
  })
})

describe('a source that grows', () => {
  const anyBytes = fc
    .uint8Array({ maxLength: 60 })
    .map((bytes) => bytes.map((byte) => [0x0a, 0x0d, 0x61, 0xef][byte % 4] ?? 0))

  test('shows its unfinished line at any point as if it ended there, and changes nothing by it', () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(60), (bytes, at) => {
        const cut = Math.min(at, bytes.length)
        const lines: TextLine[] = []
        const keep = ({ bytes: own, ...place }: Line) => {
          lines.push({ ...place, text: own === null ? null : decoder.decode(own) })
        }
        const splitter = new LineSplitter(keep)
        splitter.push(bytes.subarray(0, cut))
        const before = lines.length
        const rest = splitter.rest()
        if (rest !== null) keep(rest)
        expect(lines).toEqual(linesOf([bytes.subarray(0, cut)]))
        lines.length = before
        splitter.push(bytes.subarray(cut))
        splitter.end()
        expect(lines).toEqual(linesOf([bytes]))
      })
    )
  })

  test('is read on from where any of its lines begins', () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(60), (bytes, at) => {
        const lines: TextLine[] = []
        const keep = ({ bytes: own, ...place }: Line) => {
          lines.push({ ...place, text: own === null ? null : decoder.decode(own) })
        }
        const first = new LineSplitter(keep)
        first.push(bytes.subarray(0, Math.min(at, bytes.length)))
        const from = first.next
        const second = new LineSplitter(keep, { from })
        second.push(bytes.subarray(from.offset))
        second.end()
        expect(lines).toEqual(linesOf([bytes]))
      })
    )
  })
})
