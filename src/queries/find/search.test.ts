import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LineSplitter } from '#core/lines/line-splitter.ts'
import { LiteralSearch } from './literal-search.ts'
import type { Pattern } from './pattern.ts'
import { linearExpression } from '#core/query/linear-regex.ts'
import { MatchGuard } from './match-guard.ts'
import { RegexSearch, type RegexSearchOptions } from './regex-search.ts'
import type { Bytes, Query, Search } from './search.ts'
import { ScriptScanner } from './script-scanner.ts'
import { SearchedFile } from './searched-file.ts'

const literal = (text: string, caseSensitive = false): Query => ({ text, regex: false, caseSensitive })
const regex = (text: string, caseSensitive = false): Query => ({ text, regex: true, caseSensitive })

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

function searchFor(query: Query, given: Partial<RegexSearchOptions> = {}): Search {
  const options: RegexSearchOptions = {
    framing: 'lines',
    scanner: (patterns, bytes) => new ScriptScanner(patterns, bytes),
    readText: (bytes) => utf8.decode(bytes),
    ...given
  }
  return query.regex ? new RegexSearch(query, options) : new LiteralSearch({ ...query, texts: [query.text] }, options)
}

function bytesOf(content: Buffer): Bytes {
  return {
    read: (target, offset) => content.copy(target, 0, offset, offset + target.length)
  }
}

interface Line {
  readonly from: number
  readonly bytes: Buffer
}

function linesOf(content: Buffer): Line[] {
  const lines: Line[] = []
  const splitter = new LineSplitter(
    ({ offset, bytes }) => void lines.push({ from: offset, bytes: Buffer.from(bytes ?? []) })
  )
  splitter.push(content)
  splitter.end()
  return lines
}

/** How a file is searched in these tests: what may be looked at grows to each of `limits`, and pieces are done last first. */
interface Course {
  readonly limits?: readonly number[]
  readonly pieceBytes?: number
  readonly patient?: boolean
}

function searched(search: Search, content: Buffer, course: Course = {}, texts = 1): SearchedFile {
  const file = new SearchedFile(texts)
  for (const limit of [...(course.limits ?? []), content.length]) {
    const pieces = []
    const readable = content.subarray(0, limit)
    const patient = course.patient === true && limit < content.length
    for (;;) {
      const piece = file.deal(limit, course.pieceBytes ?? 1000, patient)
      if (!piece) break
      pieces.push(piece)
    }
    for (const piece of pieces.reverse())
      file.add(
        piece,
        search.piece(bytesOf(readable), piece, () => {})
      )
  }
  expect(file.searchedTo).toBe(content.length)
  return file
}

/** Numbers of the lines, from 0, in which something was found. */
function linesWith(
  query: Query,
  text: string | Buffer,
  course: Course = {},
  options?: Partial<RegexSearchOptions>
): number[] {
  const content = Buffer.from(text)
  const file = searched(searchFor(query, options), content, course)
  return linesOf(content).flatMap(({ from, bytes }, i) =>
    file.holds(0, from, from + Math.max(1, bytes.length)) ? [i] : []
  )
}

/** Of a document each of whose records is an object in one list: the numbers of those in which something was found. */
function recordsWith(query: Query, text: string, options: Partial<RegexSearchOptions> = {}): number[] {
  const file = searched(searchFor(query, { ...options, framing: 'document' }), Buffer.from(text))
  const records = [...text.matchAll(/\{[^{}]*\}/g)]
  return records.flatMap(({ index, 0: { length } }, i) => {
    const from = Buffer.byteLength(text.slice(0, index))
    return file.holds(0, from, from + Buffer.byteLength(text.slice(index, index + length))) ? [i] : []
  })
}

const content = fc
  .array(
    fc.oneof(
      {
        weight: 12,
        arbitrary: fc.constantFrom('a', 'b', 'B', 'x', 'é', 'É', 'σ', 'Σ', 'ς', '😀', '\ufffd', '"', '\\', ' ')
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom('\\n', '\\"', '\\u00e9', '\\u00E9', '\\u00c9', '\\ud83d\\ude00', 'aaaa')
      },
      { weight: 3, arbitrary: fc.constantFrom('\n', '\r\n', '\n\n', '\r') },
      {
        weight: 1,
        arbitrary: fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => Buffer.from(bytes).toString('latin1'))
      }
    ),
    { maxLength: 120 }
  )
  .chain((parts) => fc.boolean().map((binary) => Buffer.from(parts.join(''), binary ? 'latin1' : 'utf8')))
const course = fc.record({
  limits: fc.array(fc.nat(200), { maxLength: 4 }).map((limits) => limits.sort((a, b) => a - b)),
  pieceBytes: fc.integer({ min: 1, max: 60 }),
  patient: fc.boolean()
})
const windowBytes = fc.integer({ min: 1, max: 50 })
const within = (limits: readonly number[], { length }: Buffer): number[] => limits.filter((limit) => limit < length)

/** In which lines a text stands, found another way: each line and each way to write the text as characters of one byte. */
function naive(text: string, caseSensitive: boolean, bytes: Buffer): number[] {
  const escape = (one: string, upper: boolean): string => {
    const units = Array.from({ length: one.length }, (_, i) => one.charCodeAt(i).toString(16).padStart(4, '0'))
    return units.map((digits) => `\\u${upper ? digits.toUpperCase() : digits}`).join('')
  }
  const json = (one: string): string => JSON.stringify(one).slice(1, -1)
  const cases = (one: string): string[] => {
    const all = ['aA', 'bB', 'xX', 'éÉ', 'σΣς'].find((letters) => letters.includes(one))
    return caseSensitive || all === undefined ? [one] : [...all]
  }
  const ways = [
    (one: string) => cases(one),
    (one: string) => cases(one).map(json),
    (one: string) =>
      cases(one).flatMap((other) => (other < '\u007f' ? json(other) : [escape(other, true), escape(other, false)]))
  ]
  const quoted = (written: string): string =>
    Buffer.from(written)
      .toString('latin1')
      .replace(/[^\w]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
  const sources = ways.map((way) => [...text].map((one) => `(?:${way(one).map(quoted).join('|')})`).join(''))
  const expression = new RegExp(sources.join('|'))
  return linesOf(bytes).flatMap((line, i) => (expression.test(line.bytes.toString('latin1')) ? [i] : []))
}

describe('a text', () => {
  const piece = fc.constantFrom('a', 'b', 'x', 'é', 'É', 'σ', 'Σ', '😀', '"', '\\', '\n', '\r', '\ufffd', 'aa')

  test('is found on the lines that hold it, wherever the pieces, windows and limits are', () => {
    fc.assert(
      fc.property(
        content,
        fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
        fc.boolean(),
        course,
        windowBytes,
        (bytes, text, caseSensitive, { limits, ...rest }, window) => {
          const options = { framing: 'lines', windowBytes: window } as const
          const found = linesWith(
            literal(text, caseSensitive),
            bytes,
            { ...rest, limits: within(limits, bytes) },
            options
          )
          expect(found).toEqual(naive(text, caseSensitive, bytes))
        }
      ),
      { numRuns: 600 }
    )
  })

  test('is found in one pass with others on the lines on which it is found alone', () => {
    const texts = fc.array(
      fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 }
    )
    fc.assert(
      fc.property(content, texts, course, windowBytes, (bytes, asked, { limits, ...rest }, window) => {
        const how = { ...rest, limits: within(limits, bytes) }
        const options = {
          framing: 'lines',
          windowBytes: window,
          scanner: (patterns: readonly Pattern[], length: number) => new ScriptScanner(patterns, length),
          readText: (text: Uint8Array) => utf8.decode(text)
        } as const
        const search = new LiteralSearch({ texts: asked, regex: false, caseSensitive: false }, options)
        const file = searched(search, bytes, how, asked.length)
        const lines = linesOf(bytes)
        const found = asked.map((_, text) =>
          lines.flatMap((line, i) =>
            file.holds(text, line.from, line.from + Math.max(1, line.bytes.length)) ? [i] : []
          )
        )
        expect(found).toEqual(asked.map((text) => naive(text, false, bytes)))
      }),
      { numRuns: 300 }
    )
  })

  test('in any case has letters that are as long in UTF-8, whatever the script', () => {
    const lines = 'Größe\nGRÖSSE\ngrÖßE\nGRÖẞE'
    expect(linesWith(literal('größe'), lines)).toEqual([0, 2])
    expect(linesWith(literal('Größe', true), lines)).toEqual([0])
    expect(linesWith(literal('ПРИВЕТ'), 'Привет\nприве\nпривет')).toEqual([0, 2])
    expect(linesWith(literal('ՀԱՅ'), 'հայ')).toEqual([0])
    expect(linesWith(literal('ⲁ'), 'Ⲁ')).toEqual([0])
    expect(linesWith(literal('𐐀'), '𐐨\n𐐩')).toEqual([0])
    // The sign of kelvin and the long s take more bytes than the letters.
    expect(linesWith(literal('ks'), 'KS\n\u212as\nk\u017f')).toEqual([0])
    expect(linesWith(literal('Ä'), '"\\u00E4"\n"\\u00c4"\n"\\U00C4"\n"\\u00C3"')).toEqual([0, 1])
  })

  test('is found as JSON escapes it, in every way of writing it', () => {
    const text = [JSON.stringify({ said: 'a "b"\n\tc é' }), '{"said":"caf\\u00e9 \\ud83d\\ude00"}', 'é'].join('\n')
    expect(linesWith(literal('"b"\n\tc'), text)).toEqual([0])
    expect(linesWith(literal('é'), text)).toEqual([0, 1, 2])
    expect(linesWith(literal('😀'), text)).toEqual([1])
    expect(linesWith(literal('\ud83d'), '"\\ud83d"\n"\ufffd"')).toEqual([0])
    expect(linesWith(literal('\u0001'), '"\\u0001"')).toEqual([0])
  })

  test('of a single letter does not collect every letter of the file', () => {
    const found = searchFor(literal('e')).piece(
      bytesOf(Buffer.from(`${'e'.repeat(5000)}\n`.repeat(10))),
      { from: 0, to: 50_010, limit: 50_010 },
      () => {}
    )
    expect(found.offsets[0]).toHaveLength(10)
  })

  test('is found in every record of a document that stands on one line', () => {
    const document = '{"id":"x","messages":[{"a":1},{"said":"alpha, alpha"},{"b":2} {"said":"alpha"}]}'
    expect(recordsWith(literal('alpha'), document)).toEqual([1, 3])
  })
})

describe('a regular expression', () => {
  const expressions = fc.constantFrom(
    'a',
    '^',
    '$',
    '^$',
    'a$',
    '^[^a]*$',
    'a+b?',
    'aaa[^b]',
    '(?<!b)a',
    'x(?=é)',
    '[^]b',
    'a[\\s\\S]*b',
    '\\\\u00e9',
    '\\ufffd',
    'σ',
    '.😀',
    '\\r',
    'aaaab*',
    '(?:aaa|b)x',
    '\\p{L}\\P{L}'
  )

  test('is matched against each line as it is written, wherever the pieces, windows and limits are', () => {
    fc.assert(
      fc.property(
        content,
        expressions,
        fc.boolean(),
        course,
        windowBytes,
        (bytes, text, caseSensitive, { limits, ...rest }, window) => {
          const options = { framing: 'lines', windowBytes: window } as const
          const found = linesWith(
            regex(text, caseSensitive),
            bytes,
            { ...rest, limits: within(limits, bytes) },
            options
          )
          const expression = new RegExp(text, caseSensitive ? 'u' : 'iu')
          const lines = linesOf(bytes).flatMap((line, i) => (expression.test(line.bytes.toString()) ? [i] : []))
          expect(found).toEqual(lines)
        }
      ),
      { numRuns: 600 }
    )
  })

  test('finds the same where its matches are ended and done again in linear time, wherever that is', async () => {
    const ended = Symbol('ended')
    let reads = 0
    let endsAt: readonly number[] = []
    const readText = (bytes: Uint8Array): string => {
      if (endsAt.includes(reads++)) throw ended
      return utf8.decode(bytes)
    }
    const guard = new MatchGuard(
      (_, work) => {
        try {
          work()
          return true
        } catch (error) {
          if (error === ended) return false
          throw error
        }
      },
      async () => linearExpression
    )
    await guard.begin(undefined)
    const expressions = fc.constantFrom('a', 'a|b', '^b', 'x$', '[^a]{2}', '(a|é)+x', '\\w\\W', 'a(?=b)', '(.)\\1', '')
    fc.assert(
      fc.property(
        fc.record({
          text: expressions,
          bytes: content,
          framing: fc.constantFrom('lines' as const, 'document' as const),
          longLine: fc.constantFrom(32, 1 << 20),
          ends: fc.array(fc.nat(30), { maxLength: 4 })
        }),
        ({ text, bytes, framing, longLine, ends }) => {
          const piece = { from: 0, to: bytes.length, limit: bytes.length }
          const found = (more: Partial<RegexSearchOptions>): number[] => {
            const search = searchFor(regex(text, true), { framing, longLine, windowBytes: 16, ...more })
            const offsets: number[] = []
            const { offsets: last } = search.piece(bytesOf(bytes), piece, (_reached, [some = []]) => {
              offsets.push(...some.splice(0))
            })
            return [...offsets, ...(last[0] ?? [])]
          }
          const expected = found({})
          reads = 0
          endsAt = ends
          expect(found({ readText, guard })).toEqual(expected)
        }
      ),
      { numRuns: 1000 }
    )
  })

  test('finds letters in any case that are longer in UTF-8, too', () => {
    expect(linesWith(regex('desks'), 'de\u017fks\nDES\u212aS\ndess')).toEqual([0, 1])
  })

  test('begins a first line behind the mark of its encoding', () => {
    expect(linesWith(regex('^a'), '\ufeffa\n\ufeffa\na', { limits: [1, 3, 4], pieceBytes: 2 })).toEqual([0, 2])
    const options = { framing: 'lines', windowBytes: 8, longLine: 32 } as const
    expect(linesWith(regex('^a'), `\ufeffa${'-'.repeat(100)}`, {}, options)).toEqual([0])
  })

  test('finds each record of a document in which a match begins', () => {
    const document =
      '[{"said":"alpha 1, alpha 2"},{"é":"\u{1f600}"},{"said":"alpha 22"},\n{"said":"alpha"},{"b":"alpha 3"}]'
    expect(recordsWith(regex('alpha \\d'), document)).toEqual([0, 2, 4])
    expect(recordsWith(regex('1f600|alpha'), document)).toEqual([0, 2, 3, 4])
    expect(recordsWith(regex('ALPHA|\u{1f600}'), document)).toEqual([0, 1, 2, 3, 4])
  })

  test('finds the right record behind damaged bytes', () => {
    const damaged = Buffer.from('[{"a":"\xff\xe2\x82\xf0\x9f\x98"},{"b":"x\xe2\x82\xac"},{"c":"x"}]', 'latin1')
    const { offsets: found } = searchFor(regex('x'), { framing: 'document' }).piece(
      bytesOf(damaged),
      { from: 0, to: damaged.length, limit: damaged.length },
      () => {}
    )
    expect([...(found[0] ?? [])].map((offset) => damaged[offset])).toEqual([0x78, 0x78])
  })

  test('is matched in a very long line by windows, which are none of its borders', () => {
    const options = { framing: 'lines', windowBytes: 64, longLine: 1024 } as const
    for (let before = 0; before < 2200; before += 7) {
      const line = `é${'-'.repeat(before)}word${'😀'.repeat(1000)}`
      const text = `short\n${line}\nword\n${line.slice(1)}`
      expect(linesWith(regex('-wor[d]|éword|^word'), text, { pieceBytes: 500 }, options)).toEqual([1, 2, 3])
      expect(linesWith(regex('^-|^😀|-$|^word😀'), text, {}, options)).toEqual([3])
      expect(linesWith(regex('😀$'), text, {}, options)).toEqual([1, 3])
    }
  })

  test('finds the records of a document on one very long line', () => {
    const record = (i: number): string => `{"n":"${i % 3 === 0 ? 'é' : 'e'}"}`
    const document = `[${Array.from({ length: 900 }, (_, i) => record(i)).join(',')}]`
    const found = recordsWith(regex('é'), document, { windowBytes: 64, longLine: 512 })
    expect(found).toEqual(Array.from({ length: 300 }, (_, i) => 3 * i))
  })
})
