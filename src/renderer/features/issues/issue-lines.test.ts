import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type IssueCode, issueCodes, issueSeverities } from '#core/formats/issue.ts'
import { IssueLines } from './issue-lines.ts'

const names = Object.keys(issueCodes) as IssueCode[]
const codes = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 5 })), { selector: ([code]) => code })
  .map((counts) => counts.map(([code, count]) => ({ code, count, severity: issueCodes[code].severity })))

test('has a line for each shown code, and for its issues unless it is collapsed', () => {
  const some = <T>(all: readonly T[]) => fc.subarray([...all]).map((list) => new Set<T>(list))
  fc.assert(
    fc.property(codes, some(issueSeverities), some<string>(names), (groups, shown, collapsed) => {
      const lines = new IssueLines(groups, shown, collapsed)
      const expected = groups
        .filter(({ severity }) => shown.has(severity))
        .flatMap((group) => [
          { code: group.code, at: null },
          ...(collapsed.has(group.code)
            ? []
            : Array.from({ length: group.count }, (_, at) => ({ code: group.code, at })))
        ])
      expect(lines.count).toBe(expected.length)
      for (const [view, { code, at }] of expected.entries()) {
        const line = lines.lineAt(view)
        expect(line?.group.code).toBe(code)
        expect(line?.kind === 'issue' ? line.at : null).toBe(at)
        expect(lines.viewOf(code, at)).toBe(view)
      }
      expect(lines.lineAt(-1)).toBeUndefined()
      expect(lines.lineAt(expected.length)).toBeUndefined()
      for (const code of collapsed) expect(lines.viewOf(code as IssueCode, 0)).toBe(-1)
    })
  )
})
