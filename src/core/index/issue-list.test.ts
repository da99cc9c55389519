import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type IssueCode, issueCodes, type IssueDraft } from '../formats/issue.ts'
import { IssueList } from './issue-list.ts'

const words = fc.constantFrom(
  'column ',
  ': ',
  '0',
  '00',
  '007',
  '12',
  '4294967296',
  '999999999',
  '\0',
  '$.a[',
  ']',
  'x'
)
const issue: fc.Arbitrary<IssueDraft> = fc.record({
  code: fc.constantFrom(...(Object.keys(issueCodes) as IssueCode[])),
  path: fc.option(fc.array(words).map((parts) => parts.join(''))),
  message: fc.array(words).map((parts) => parts.join(''))
})

test('issues are given again as they were, whatever numbers are in them', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), issue), { maxLength: 40 }), (steps) => {
      const list = new IssueList()
      let row = 0
      const all = steps.map(([step, draft]) => {
        row += step
        return { row, severity: list.add(row, draft), ...draft }
      })
      expect(list.slice(0, list.length)).toEqual(all)
      for (let at = 0; at <= row + 1; at++) {
        const own = all.filter((each) => each.row === at)
        expect(list.ofRow(at, 100)).toEqual(own)
        expect(list.countOf(at)).toBe(own.length)
      }
    })
  )
})

test('a log with ever new kinds of issue does not grow for ever: the last ones say that they are not kept', () => {
  const list = new IssueList()
  for (let row = 0; row < 66_000; row++) list.add(row, { code: 'JsonParse', path: null, message: `a${row} b${row}` })
  expect(list.slice(65_000, 1)[0]?.message).toBe('a65000 b65000')
  expect(list.slice(65_900, 1)[0]?.message).toContain('not kept')
})

test('by code: as many as there are, each at its place, and counted before any row', () => {
  const few = fc.constantFrom<IssueCode>('JsonParse', 'UnknownType', 'TypedParse')
  // More than one stretch of those whose counts are noted.
  const run = fc.tuple(few, fc.nat(700), fc.nat(1))
  fc.assert(
    fc.property(fc.array(run, { maxLength: 9 }), fc.nat(3000), fc.nat(50), (runs, from, count) => {
      const list = new IssueList()
      let row = 0
      for (const [code, length, step] of runs) {
        for (let i = 0; i < length; i++) {
          row += step
          list.add(row, { code, path: null, message: `issue ${list.length}` })
        }
      }
      const all = list.slice(0, list.length)
      for (const { code, count: total, severity } of list.byCode) {
        const own = all.filter((issue) => issue.code === code)
        expect(own).toHaveLength(total)
        expect(own.every((issue) => issue.severity === severity)).toBe(true)
        expect(list.sliceOfCode(code, from, count)).toEqual(own.slice(from, from + count))
        expect(list.countBefore(from, code)).toBe(own.filter((issue) => issue.row < from).length)
      }
      expect(list.byCode.reduce((sum, each) => sum + each.count, 0)).toBe(list.length)
      expect(list.countBefore(from, null)).toBe(all.filter((issue) => issue.row < from).length)
    })
  )
})
