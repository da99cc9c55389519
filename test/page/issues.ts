import type { Handlers, LogStatus, Result } from '#contract/methods.ts'
import { type IssueCode, issueCodes } from '#core/formats/issue.ts'
import type { CannedRow } from './host.ts'

/** An issue of a canned log. */
export interface CannedIssue {
  readonly row: number
  readonly code: IssueCode
  readonly path?: string
  readonly message?: string
  readonly file?: string
}

/** The rows of a log of `count` events that has `issues`. */
export function rowsWith(issues: readonly CannedIssue[], count: number): CannedRow[] {
  const severities = new Map(issues.map(({ row, code }) => [row, issueCodes[code].severity]))
  return Array.from({ length: count }, (_, row) => ({ kind: 'assistant', severity: severities.get(row) ?? 'none' }))
}

/** How many there are, as a status says it. */
export function countsOf(issues: readonly CannedIssue[]): LogStatus['issues'] {
  const counts = { malformed: 0, violation: 0, notice: 0 }
  for (const { code } of issues) counts[issueCodes[code].severity]++
  return counts
}

/** The answers of a host whose log has `issues`, which may grow in place. */
export function issueHandler(issues: readonly CannedIssue[]): Handlers['log.issues'] {
  return async ({ from, count, code, row }) => {
    const all = issues.filter((issue) => code === undefined || issue.code === code)
    const start = row === undefined ? from : all.filter((issue) => issue.row < row).length
    return {
      from: start,
      total: all.length,
      codes: codesOf(issues),
      issues: all.slice(start, start + count).map((issue) => ({
        code: issue.code,
        severity: issueCodes[issue.code].severity,
        path: issue.path ?? null,
        message: issue.message ?? 'wrong',
        row: issue.row,
        line: issue.row + 1,
        file: issue.file ?? null
      }))
    }
  }
}

function codesOf(issues: readonly CannedIssue[]): Result<'log.issues'>['codes'] {
  const order = Object.keys(issueCodes) as IssueCode[]
  return order
    .map((code) => ({
      code,
      severity: issueCodes[code].severity,
      count: issues.filter((issue) => issue.code === code).length
    }))
    .filter(({ count }) => count > 0)
}
