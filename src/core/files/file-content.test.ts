import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type FileChange, fileLines } from '../formats/file-effect.ts'
import { before, FileContent, outsideBefore } from './file-content.ts'

const shown = (text: string, from = 1, total: number | null = fileLines(text).length): FileChange => ({
  what: 'shown',
  from,
  lines: fileLines(text),
  total
})
const part = (text: string, from: number): FileChange => shown(text, from, null)
const replaced = (old: string, after: string, more: { all?: boolean; takesLineEnd?: boolean } = {}): FileChange => ({
  what: 'replaced',
  before: old,
  after,
  all: false,
  ...more
})
const patched = (hunks: string, numbered = false): FileChange => ({ what: 'patched', hunks, numbered })

function contentAfter(...changes: readonly FileChange[]): FileContent {
  const content = new FileContent()
  for (const [seq, change] of changes.entries()) content.apply(seq, change)
  return content
}

const texts = ({ lines }: FileContent): (string | null)[] => lines.map((line) => line?.text ?? null)
const authors = ({ lines }: FileContent): (number | null)[] => lines.map((line) => line?.author ?? null)

describe('a look', () => {
  it('makes a file full only with its whole length', () => {
    expect(contentAfter(shown('a\nb\n')).text).toBe('a\nb\n')
    const content = contentAfter(part('c\nd', 3))
    expect(texts(content)).toEqual([null, null, 'c', 'd'])
    expect(content.isFull).toBe(false)
    expect(contentAfter(part('c\nd', 3), shown('a\nb\nc\nd\n', 1)).text).toBe('a\nb\nc\nd\n')
  })

  it('that contradicts leaves what it shows, with the authors of equal lines', () => {
    const content = contentAfter({ what: 'written', text: 'a\nb\nc\n' }, shown('a\nx\nc\n'))
    expect(authors(content)).toEqual([0, outsideBefore(1), 0, 0])
    const cut = contentAfter({ what: 'written', text: 'a\nb\nc\n' }, part('x', 2))
    expect(texts(cut)).toEqual([null, 'x'])
    expect(cut.total).toBe(null)
  })

  it('of a file that grew is not mixed with what was known', () => {
    expect(contentAfter(shown('a\nb'), shown('a\nb\nc')).text).toBe('a\nb\nc')
    expect(contentAfter(shown('a\nb\nc'), shown('a\nb')).text).toBe('a\nb')
  })

  test('by a command whose white space was cut confirms the whole text', () => {
    const known = shown('\n\na\n\nb\n\n')
    const look: FileChange = { what: 'shown', from: 1, lines: ['a', '', 'b', ''], total: 4, trimmed: true }
    const content = contentAfter(known, look)
    expect(content.text).toBe('\n\na\n\nb\n\n')
    expect(content.lines.every((line) => line?.confirmed === 1)).toBe(true)
  })

  test('by a shell that prints lines when it starts confirms the text after them', () => {
    const look: FileChange = {
      what: 'shown',
      from: 1,
      lines: ['Welcome', 'a', 'b', ''],
      total: 4,
      trimmed: true
    }
    expect(contentAfter(shown('a\nb\n'), look).text).toBe('a\nb\n')
  })

  test('at a part of a file finds its place after blank lines that were cut', () => {
    const look: FileChange = { what: 'shown', from: 2, lines: ['b', 'c'], total: null, trimmed: true }
    const content = contentAfter(shown('a\n\n\nb\nc\nd\n'), look)
    expect(content.text).toBe('a\n\n\nb\nc\nd\n')
    expect(content.lines[3]?.confirmed).toBe(1)
  })
})

describe('a replaced text', () => {
  it('has its author where lines differ', () => {
    const content = contentAfter(shown('a\nb\nc\n'), replaced('a\nb', 'a\nx\ny'))
    expect(content.text).toBe('a\nx\ny\nc\n')
    expect(authors(content)).toEqual([before, 1, 1, before, before])
  })

  it('may begin and end within lines', () => {
    expect(contentAfter(shown('one two\nthree four\n'), replaced('two\nthree', '2')).text).toBe('one 2 four\n')
  })

  it('takes the line end with it where its tool does', () => {
    expect(contentAfter(shown('a\nb\nc\n'), replaced('b', '', { takesLineEnd: true })).text).toBe('a\nc\n')
    expect(contentAfter(shown('a\nb\nc\n'), replaced('b', '')).text).toBe('a\n\nc\n')
  })

  it('everywhere in a file that is known', () => {
    expect(contentAfter(shown('a b a\na\n'), replaced('a', '$&', { all: true })).text).toBe('$& b $&\n$&\n')
  })

  it('in a file known in part stands where it is found once', () => {
    expect(texts(contentAfter(part('x\ny\nz', 5), replaced('y', 'q')))).toEqual([null, null, null, null, 'x', 'q', 'z'])
  })

  it('whose place is not known leaves nothing known', () => {
    for (const change of [replaced('gone', 'x'), replaced('x', 'y', { all: true })]) {
      const content = contentAfter(part('x\ny', 5), change)
      expect(content.knownLines).toBe(0)
      expect(content.unplaced).toBe(1)
    }
    expect(contentAfter(part('x\nx', 5), replaced('x', 'y')).knownLines).toBe(0)
  })

  it('is as certain as the lines it replaces', () => {
    const content = contentAfter(shown('a\nb\nc\n'), { what: 'named' }, replaced('b', 'x'))
    expect(content.lines[1]).toMatchObject({ author: 2, source: 'written', confirmed: 0 })
  })
})

describe('a patch', () => {
  const file = shown('one\ntwo\nthree\nfour\nfive\n')

  it('stands where its context is', () => {
    expect(contentAfter(file, patched('@@\n two\n-three\n+3\n four')).text).toBe('one\ntwo\n3\nfour\nfive\n')
  })

  it('stands below the line that it names', () => {
    const twice = shown('f\n a\ng\n a\n')
    expect(contentAfter(twice, patched('@@ g\n- a\n+ b')).text).toBe('f\n a\ng\n b\n')
  })

  it('is placed without white space at the ends, and its lines are derived', () => {
    const content = contentAfter(shown('\tone  \n\ttwo\n'), patched('@@\n one\n-two\n+2'))
    expect(content.text).toBe('\tone  \n2\n')
    expect(content.lines[1]?.source).toBe('derived')
  })

  it('that already stands in the file changes nothing', () => {
    const change = patched('@@\n one\n-two\n+2\n three')
    expect(contentAfter(file, change, change).text).toBe('one\n2\nthree\nfour\nfive\n')
  })

  it('whose context is not there leaves nothing known', () => {
    expect(contentAfter(file, patched('@@\n-six\n+6')).knownLines).toBe(0)
  })

  it('ends the file with one line end', () => {
    expect(contentAfter(shown('one\ntwo\n\n'), patched('@@\n-one\n+1')).text).toBe('1\ntwo\n')
    expect(contentAfter(shown('one\ntwo'), patched('@@\n-one\n+1')).text).toBe('1\ntwo\n')
  })

  it('with line numbers shows its context', () => {
    const content = contentAfter(patched('@@ -2,2 +2,3 @@\n two\n+2.5\n three', true))
    // Nothing was known, so nothing but the hunk is known now.
    expect(texts(content)).toEqual([null, 'two', '2.5', 'three'])
    expect(content.lines[1]).toMatchObject({ source: 'seen', author: before })
    expect(contentAfter(file, patched('@@ -2,2 +2,3 @@\n two\n+2.5\n three', true)).text).toBe(
      'one\ntwo\n2.5\nthree\nfour\nfive\n'
    )
    expect(texts(contentAfter(file, patched('@@ -2,1 +2,1 @@\n-other\n+2', true)))).toEqual([null, '2'])
  })
})

test('a file that was deleted, and one that was moved', () => {
  const gone = contentAfter(shown('a\n'), { what: 'deleted' })
  expect(gone).toMatchObject({ deleted: true, lines: [], text: null })
  const moved = new FileContent()
  moved.apply(3, { what: 'moved', from: 'a' }, contentAfter(shown('a\n')))
  expect(moved.text).toBe('a\n')
  const unknown = new FileContent()
  unknown.apply(3, { what: 'moved', from: 'a' }, null)
  expect(unknown).toMatchObject({ text: null, unplaced: 3 })
})

test('a file beyond the limits has no content, and is told so', () => {
  const content = contentAfter({ what: 'written', text: 'x'.repeat(4_000_001) })
  expect(content).toMatchObject({ tooLarge: true, knownLines: 0 })
  content.apply(1, { what: 'written', text: 'small' })
  expect(content).toMatchObject({ tooLarge: false, text: 'small' })
  const big = 'y'.repeat(50_000_000)
  expect(contentAfter(shown('a\n'), replaced(big, 'b')).knownLines).toBe(0)
})

describe('hostile', () => {
  const equal = shown('a\n'.repeat(30_000))

  test('texts that repeat themselves are looked for in linear time', () => {
    const half = 'a'.repeat(1_000_000)
    const file = shown(`${half}${half}${half}`)
    for (const all of [false, true]) {
      expect(contentAfter(file, replaced(`${half}b${half}`, 'x', { all })).knownLines).toBe(0)
      const content = contentAfter(shown(`${half}b${half}\nend`), replaced(`${half}b${half}`, 'x', { all }))
      expect(content.text).toBe('x\nend')
    }
  })

  test('replacing every letter of a large file by a large text is not done', () => {
    const content = contentAfter(equal, replaced('a', 'b'.repeat(100_000), { all: true }))
    expect(content).toMatchObject({ tooLarge: true, knownLines: 0 })
  })

  test(
    'hunks that stand nowhere in a file of equal lines, and too many hunks, are given up',
    { timeout: 120_000 },
    () => {
      const long = `@@\n${' a\n'.repeat(3000)}-b\n+c\n`
      expect(contentAfter(equal, patched(long.repeat(50))).knownLines).toBe(0)
      expect(contentAfter(equal, patched('@@\n-a\n+b\n'.repeat(200_000))).knownLines).toBe(0)
      expect(contentAfter(equal, patched('@@ -1,1 +1,1 @@\n-a\n+b\n'.repeat(200_000), true)).knownLines).toBe(0)
      // A patch of some hundred hunks is placed.
      expect(contentAfter(equal, patched('@@\n-a\n+b\n'.repeat(500))).lines[499]?.text).toBe('b')
    }
  )

  test('old text is a text, not an expression', () => {
    expect(contentAfter(shown('a.*(b\n$&\n'), replaced('.*(', '$1$&')).text).toBe('a$1$&b\n$&\n')
  })
})

// A real file, what an agent does to it, and what of that a log tells.

interface Truth {
  text: string
}

type Act = (truth: Truth, random: number) => FileChange | null

const word = fc.constantFrom('a', 'b', 'c', '', 'a', '}', '$&', '.*')
const text = fc.array(word, { maxLength: 12 }).map((lines) => lines.join('\n'))

const acts: readonly Act[] = [
  // Looks at the whole, at a part, and by a command that cuts white space.
  ({ text: now }) => shown(now),
  ({ text: now }, random) => {
    const lines = fileLines(now)
    const from = random % lines.length
    return part(lines.slice(from, from + 1 + (random % 5)).join('\n'), from + 1)
  },
  ({ text: now }) => (now.trim() === '' ? null : { ...shown(now), trimmed: true }),
  // Replaces a text that is there once, or all of them.
  (truth, random) => {
    const lines = fileLines(truth.text)
    const from = random % lines.length
    const old = lines.slice(from, from + 1 + (random % 3)).join('\n')
    const at = truth.text.indexOf(old)
    if (old === '' || truth.text.indexOf(old, at + 1) >= 0) return null
    const after = random % 4 === 0 ? '' : `n${random}\nm`
    truth.text = truth.text.slice(0, at) + after + truth.text.slice(at + old.length)
    return replaced(old, after)
  },
  (truth) => {
    if (!truth.text.includes('a')) return null
    truth.text = truth.text.replaceAll('a', () => 'z\ny')
    return replaced('a', 'z\ny', { all: true })
  },
  // Writes, adds, deletes a line by a numbered diff.
  (truth, random) => {
    truth.text = `w${random}\n${truth.text}`
    return { what: 'written', text: truth.text }
  },
  (truth, random) => {
    truth.text += `t${random}\n`
    return { what: 'appended', text: `t${random}\n` }
  },
  (truth, random) => {
    const lines = fileLines(truth.text)
    const at = random % lines.length
    if (lines.length < 2) return null
    const gone = lines.splice(at, 1)[0] ?? ''
    truth.text = lines.join('\n')
    return patched(`@@ -${at + 1},1 +${at},0 @@\n-${gone}`, true)
  },
  () => ({ what: 'confirmed' })
]

const plan = fc.array(fc.tuple(fc.nat(acts.length - 1), fc.nat(1000), fc.boolean()), { maxLength: 25 })

/** Applies a plan. `keeps`: which looks the log has. Returns the content after each effect, beside the truth. */
function play(start: string, steps: readonly (readonly [number, number, boolean])[], dropsLooks: boolean) {
  const truth: Truth = { text: start }
  const content = new FileContent()
  const states: { content: FileContent; text: string }[] = []
  for (const [seq, [act, random, keep]] of steps.entries()) {
    const change = acts[act]?.(truth, random) ?? null
    if (change === null) continue
    const isLook = change.what === 'shown' || change.what === 'confirmed'
    if (!(isLook && dropsLooks && !keep)) content.apply(seq, change)
    states.push({ content: content.copy(), text: truth.text })
  }
  return states
}

function expectTrue({ content, text: now }: { content: FileContent; text: string }): void {
  const lines = fileLines(now)
  for (const [at, line] of content.lines.entries()) if (line !== null) expect(line.text).toBe(lines[at])
  if (content.isFull) expect(content.text).toBe(now)
  if (content.total !== null && content.knownLines > 0) expect(content.total).toBe(lines.length)
}

describe('properties', () => {
  it('no known line differs from the file, and full is equal', () => {
    fc.assert(
      fc.property(text, plan, (start, steps) => {
        for (const state of play(start, steps, false)) expectTrue(state)
      }),
      { numRuns: 500 }
    )
  })

  it('without some looks, no line is wrong', () => {
    fc.assert(
      fc.property(text, plan, (start, steps) => {
        for (const state of play(start, steps, true)) expectTrue(state)
      }),
      { numRuns: 500 }
    )
  })

  it('any effects on any content end, and keep its limits', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', '\n', '@', '+', '-', ' ', '1', ',', '\r'), maxLength: 60 })
    const change: fc.Arbitrary<FileChange> = fc.oneof(
      fc.record({
        what: fc.constant('shown' as const),
        from: fc.integer({ min: -2, max: 60_000 }),
        lines: fc.array(anyText, { maxLength: 5 }),
        total: fc.option(fc.integer({ min: 0, max: 60_000 }))
      }),
      fc.record({
        what: fc.constant('replaced' as const),
        before: anyText,
        after: anyText,
        all: fc.boolean(),
        takesLineEnd: fc.boolean()
      }),
      fc.record({ what: fc.constant('patched' as const), hunks: anyText, numbered: fc.boolean() }),
      fc.record({ what: fc.constant('written' as const), text: anyText }),
      fc.record({ what: fc.constant('appended' as const), text: anyText }),
      fc.constant<FileChange>({ what: 'deleted' }),
      fc.constant<FileChange>({ what: 'changed' })
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const content = contentAfter(...changes)
        expect(content.lines.length).toBeLessThanOrEqual(100_000)
        if (content.total !== null) expect(content.lines).toHaveLength(content.total)
      }),
      { numRuns: 300 }
    )
  })
})
