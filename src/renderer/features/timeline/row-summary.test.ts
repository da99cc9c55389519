import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { changedParts, fileNameAt } from './row-summary.tsx'

describe('fileNameAt', () => {
  it.each([
    ['/home/dev/ws/greet.js', 'greet.js'],
    ['src/index.ts', 'index.ts'],
    ['~/notes/a.md', 'a.md'],
    ['C:\\work\\run.log', 'run.log'],
    ['/home/dev/', 'dev/']
  ])('finds the end of the path %j', (text, name) => expect(text.slice(fileNameAt(text))).toBe(name))

  it.each(['ls -la /home/dev', 'README.md', '{"a":"b/c"}', '<a>b</a>', ''])('takes %j for no path', (text) =>
    expect(fileNameAt(text)).toBe(0)
  )
})

describe('changedParts', () => {
  const cut = (text: string, ranges: readonly [number, number][], from = 0) =>
    changedParts(
      text,
      ranges.map(([start, to]) => ({ from: start, to })),
      from
    )

  it('cuts at the changed words', () => {
    expect(cut('npm run test', [[8, 12]])).toEqual(['npm run ', 'test', ''])
    expect(cut('git add a.ts b.ts', [[8, 12], [13, 17]])).toEqual(['git add ', 'a.ts', ' ', 'b.ts', '']) // prettier-ignore
    expect(cut('the same', [])).toEqual(['the same'])
  })

  it('takes of a range only what is in the text', () => {
    // The name of `src/a.ts`, of which `c/a` is changed.
    expect(cut('src/', [[2, 5]])).toEqual(['sr', 'c/', ''])
    expect(cut('a.ts', [[2, 5]], 4)).toEqual(['', 'a', '.ts'])
  })

  it('leaves out the beginning where the first change would be out of view', () => {
    const [first, changed] = cut(`${'cd /work && '.repeat(9)}make`, [[108, 112]])
    expect(first).toBe('…cd /work && ')
    expect(changed).toBe('make')
  })

  it('keeps all of a text without a long beginning, whatever the ranges are', () => {
    const range = fc.tuple(fc.nat(30), fc.nat(30))
    fc.assert(
      fc.property(fc.string({ maxLength: 18 }), fc.array(range), fc.nat(20), (text, ranges, from) => {
        expect(
          cut(
            text,
            ranges.toSorted(([a], [b]) => a - b),
            from
          ).join('')
        ).toBe(text)
      })
    )
  })
})
