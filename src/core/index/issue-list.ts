import { type IssueCode, issueCodes, type IssueDraft, issueSeverities, type IssueSeverity } from '../formats/issue.ts'
import { Column } from '../column.ts'
import { Interned } from './interned.ts'

const codes = Object.keys(issueCodes) as IssueCode[]

/** An issue and the row that shows it. */
export interface RowIssue extends IssueDraft {
  row: number
  severity: IssueSeverity
}

/**
 * The issues of a log in row order, as columns: a log that is malformed throughout has one on every line.
 * Paths and messages repeat, so each is kept once.
 */
export class IssueList {
  readonly counts: Record<IssueSeverity, number> = { malformed: 0, violation: 0, notice: 0 }
  readonly #row = new Column('uint32')
  readonly #code = new Column('uint8')
  readonly #path = new Column('uint32')
  readonly #message = new Column('uint32')
  readonly #strings = new Interned(Infinity, '')

  get length(): number {
    return this.#row.length
  }

  /** `row` must not be below that of an earlier issue. Returns the issue's severity. */
  add(row: number, { code, path, message }: IssueDraft): IssueSeverity {
    const { severity } = issueCodes[code]
    this.counts[severity]++
    this.#row.push(row)
    this.#code.push(codes.indexOf(code))
    this.#path.push(path === null ? 0 : this.#strings.numberOf(path))
    this.#message.push(this.#strings.numberOf(message))
    return severity
  }

  /** Issues `from` … `from + count`, fewer where the list ends. */
  slice(from: number, count: number): RowIssue[] {
    const issues: RowIssue[] = []
    for (let i = from; i < Math.min(from + count, this.length); i++) issues.push(this.#at(i))
    return issues
  }

  /** At most `limit` issues of one row. */
  ofRow(row: number, limit: number): RowIssue[] {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#row.at(middle) < row) low = middle + 1
      else high = middle
    }
    const issues: RowIssue[] = []
    for (; low < this.length && this.#row.at(low) === row && issues.length < limit; low++) issues.push(this.#at(low))
    return issues
  }

  #at(index: number): RowIssue {
    const code = codes[this.#code.at(index)] ?? 'JsonParse'
    const path = this.#path.at(index)
    return {
      row: this.#row.at(index),
      code,
      severity: issueCodes[code].severity,
      path: path === 0 ? null : this.#strings.nameOf(path),
      message: this.#strings.nameOf(this.#message.at(index))
    }
  }
}

/** How bad a severity is as a number: 0 none, 1 notice, 2 violation, 3 malformed. */
export function severityRank(severity: IssueSeverity): number {
  return issueSeverities.length - issueSeverities.indexOf(severity)
}
