import { type IssueCode, issueCodes, type IssueDraft, issueSeverities, type IssueSeverity } from '../formats/issue.ts'
import { Column } from '../column.ts'
import { Interned } from './interned.ts'

const codes = Object.keys(issueCodes) as IssueCode[]
const maxWordings = 0xffff
/** Issues between two snapshots of the counts by code. */
const stride = 1024
const furtherWordings = 'details not kept: this log has too many kinds of issue; see the record'

export interface RowIssue extends IssueDraft {
  row: number
  severity: IssueSeverity
}

export interface CodeCount {
  readonly code: IssueCode
  readonly severity: IssueSeverity
  readonly count: number
}

/** Issues in row order, 15 bytes each. Messages that differ only in a number, such as a column, are stored once. */
export class IssueList {
  readonly counts: Record<IssueSeverity, number> = { malformed: 0, violation: 0, notice: 0 }
  private readonly rows = new Column('uint32')
  private readonly codes = new Column('uint8')
  private readonly wordings = new Column('uint16')
  private readonly pathNumbers = new Column('uint32')
  private readonly messageNumbers = new Column('uint32')
  /** A message; if there is a path, a line end and the path. */
  private readonly texts = new Interned(maxWordings, furtherWordings)
  private readonly codeCounts: number[] = codes.map(() => 0)
  /** Counts by code before every `stride`-th issue. */
  private readonly before = new Column('uint32')

  get length(): number {
    return this.rows.length
  }

  /** `row` must not be below the last one. Returns the issue's severity. */
  add(row: number, { code, path, message }: IssueDraft): IssueSeverity {
    const { severity } = issueCodes[code]
    this.counts[severity]++
    if (this.length % stride === 0) for (const count of this.codeCounts) this.before.push(count)
    const number = codes.indexOf(code)
    this.codeCounts[number] = (this.codeCounts[number] ?? 0) + 1
    const said = withoutNumber(message)
    const where = withoutNumber(path ?? '')
    this.rows.push(row)
    this.codes.push(number)
    this.wordings.push(this.texts.numberOf(path === null ? said.text : `${said.text}\n${where.text}`))
    this.messageNumbers.push(said.number)
    this.pathNumbers.push(where.number)
    return severity
  }

  /** Issues `from` … `from + count`, fewer at the end of the list. */
  slice(from: number, count: number): RowIssue[] {
    const issues: RowIssue[] = []
    for (let i = from; i < Math.min(from + count, this.length); i++) issues.push(this.at(i))
    return issues
  }

  /** The codes that occur, the worst first. */
  get byCode(): readonly CodeCount[] {
    const counts = codes.map((code, number) => ({
      code,
      severity: issueCodes[code].severity,
      count: this.codeCounts[number] ?? 0
    }))
    return counts.filter(({ count }) => count > 0).sort((a, b) => severityRank(b.severity) - severityRank(a.severity))
  }

  /** As `slice`, for one code. */
  sliceOfCode(code: IssueCode, from: number, count: number): RowIssue[] {
    const number = codes.indexOf(code)
    const issues: RowIssue[] = []
    let { at, passed } = this.strideOf(number, from)
    for (; at < this.length && issues.length < count; at++) {
      if (at % stride === 0 && this.strideIsWithout(number, at)) {
        at += stride - 1
        continue
      }
      if (this.codes.at(at) !== number) continue
      if (passed >= from) issues.push(this.at(at))
      passed++
    }
    return issues
  }

  /** The number of issues before those of `row`: of one code, or of all. */
  countBefore(row: number, code: IssueCode | null): number {
    const end = this.rows.firstFrom(row)
    if (code === null) return end
    const number = codes.indexOf(code)
    const start = end - (end % stride)
    let count = start < this.length ? this.countAtStride(number, start) : (this.codeCounts[number] ?? 0)
    for (let at = start; at < end; at++) if (this.codes.at(at) === number) count++
    return count
  }

  /** At most `limit` issues of one row. */
  ofRow(row: number, limit: number): RowIssue[] {
    const issues: RowIssue[] = []
    for (let i = this.rows.firstFrom(row); i < this.length && this.rows.at(i) === row && issues.length < limit; i++) {
      issues.push(this.at(i))
    }
    return issues
  }

  /** Calls `take` for each issue of rows `from` … `to - 1`; `code`: its place in `issueCodes`. */
  eachCode(from: number, to: number, take: (row: number, code: number) => void): void {
    for (let i = this.rows.firstFrom(from); i < this.length && this.rows.at(i) < to; i++) {
      take(this.rows.at(i), this.codes.at(i))
    }
  }

  countOf(row: number): number {
    return this.rows.firstFrom(row + 1) - this.rows.firstFrom(row)
  }

  /** The last snapshot with at most `from` issues of a code before it, and their number. */
  private strideOf(number: number, from: number): { at: number; passed: number } {
    let low = 0
    let high = Math.ceil(this.length / stride)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.countAtStride(number, middle * stride) <= from) low = middle + 1
      else high = middle
    }
    const at = Math.max(0, low - 1) * stride
    return { at, passed: this.length === 0 ? 0 : this.countAtStride(number, at) }
  }

  /** `at`: a multiple of `stride` below the length. */
  private countAtStride(number: number, at: number): number {
    return this.before.at((at / stride) * codes.length + number)
  }

  private strideIsWithout(number: number, at: number): boolean {
    const next = at + stride
    const after = next < this.length ? this.countAtStride(number, next) : (this.codeCounts[number] ?? 0)
    return after === this.countAtStride(number, at)
  }

  private at(index: number): RowIssue {
    const code = codes[this.codes.at(index)] ?? 'JsonParse'
    const text = this.texts.nameOf(this.wordings.at(index))
    // A message has one line.
    const end = text.indexOf('\n')
    const message = end < 0 ? text : text.slice(0, end)
    return {
      row: this.rows.at(index),
      code,
      severity: issueCodes[code].severity,
      path: end < 0 ? null : withNumber(text.slice(end + 1), this.pathNumbers.at(index)),
      message: withNumber(message, this.messageNumbers.at(index))
    }
  }
}

/** `gap` replaces the extracted number; `noNumber` means none was extracted. */
const gap = '\0'
const noNumber = 0xffffffff

/** Extracts the first number that fits the column. */
function withoutNumber(text: string): { text: string; number: number } {
  const found = text.includes(gap) ? null : /(?<!\d)(?:0|[1-9]\d{0,8})(?!\d)/.exec(text)
  if (found === null) return { text, number: noNumber }
  const [digits] = found
  return {
    text: text.slice(0, found.index) + gap + text.slice(found.index + digits.length),
    number: Number(digits)
  }
}

function withNumber(text: string, number: number): string {
  const at = text.indexOf(gap)
  return at < 0 || number === noNumber ? text : `${text.slice(0, at)}${number}${text.slice(at + 1)}`
}

/** As a number: 0 none, 1 notice, 2 violation, 3 malformed. */
export function severityRank(severity: IssueSeverity): number {
  return issueSeverities.length - issueSeverities.indexOf(severity)
}
