import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findOffsets } from './find.ts'

function source(text: string | Buffer, chunkBytes: number) {
  const bytes = Buffer.from(text)
  return {
    framing: 'lines' as const,
    async *chunks() {
      // One buffer for all chunks, as a file gives them.
      const buffer = Buffer.alloc(chunkBytes)
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        yield buffer.subarray(0, bytes.copy(buffer, 0, at, at + chunkBytes))
      }
    }
  }
}

/** Numbers of the lines, from 0, in which the text was found. */
async function linesWith(text: string, wanted: string, caseSensitive = false, chunkBytes = 7): Promise<number[]> {
  const offsets = await findOffsets(source(text, chunkBytes), wanted, caseSensitive, () => false)
  const bytes = Buffer.from(text)
  const lines = [...(offsets ?? [])].map(
    (offset) => bytes.subarray(0, offset).toString('latin1').split('\n').length - 1
  )
  return [...new Set(lines)]
}

describe('find', () => {
  test('finds text on the lines that hold it, whatever the chunks', async () => {
    const text = 'alpha beta\nbeta\n\ngamma alpha'
    for (let chunk = 1; chunk < 30; chunk++) {
      expect(await linesWith(text, 'alpha', false, chunk)).toEqual([0, 3])
      expect(await linesWith(text, 'beta', false, chunk)).toEqual([0, 1])
      expect(await linesWith(text, 'delta', false, chunk)).toEqual([])
    }
  })

  test('without case only A-Z are the same as a-z', async () => {
    expect(await linesWith('Größe\nGRÖSSE\ngröße', 'größe')).toEqual([0, 2])
    expect(await linesWith('Größe\ngröße', 'Größe', true)).toEqual([0])
  })

  test('finds what JSON escapes, in both ways of writing it', async () => {
    const text = [JSON.stringify({ said: 'a "b"\n\tc é' }), '{"said":"caf\\u00e9 \\ud83d\\ude00"}', 'é'].join('\n')
    expect(await linesWith(text, '"b"\n\tc')).toEqual([0])
    expect(await linesWith(text, 'é')).toEqual([0, 1, 2])
    expect(await linesWith(text, '😀')).toEqual([1])
  })

  test('one letter does not collect every letter of the file', async () => {
    const offsets = await findOffsets(source(`${'e'.repeat(5000)}\n`.repeat(10), 60_000), 'e', false, () => false)
    expect(offsets).toHaveLength(10)
  })

  test('finds every record of a document that stands on one line', async () => {
    const text = '{"id":"x","messages":[{"a":1},{"said":"alpha, alpha"},{"b":2},{"said":"alpha"}]}'
    const offsets = await findOffsets({ ...source(text, 9), framing: 'document' }, 'alpha', false, () => false)
    const records = [...(offsets ?? [])].map((offset) => text.slice(0, offset).split('{').length - 2)
    expect([...new Set(records)]).toEqual([2, 4])
  })

  test('ends when a later search begins', async () => {
    expect(await findOffsets(source('a\n'.repeat(100), 10), 'a', false, () => true)).toBeNull()
  })

  test('agrees with a search in the whole text', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '\n', 'é', 'x'), maxLength: 60 })
    const wanted = fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'x'), minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(
        word,
        wanted,
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        async (text, part, exact, chunk) => {
          const fold = (s: string) => (exact ? s : s.toLowerCase())
          const expected = text.split('\n').flatMap((line, i) => (fold(line).includes(fold(part)) ? [i] : []))
          expect(await linesWith(text, part, exact, chunk)).toEqual(expected)
        }
      )
    )
  })
})
