import type { IssueSeverity } from '#core/formats/issue.ts'
import type { CodeCount, IssueCodeName } from '../../stores/issue-pages.ts'

/** A line of the list: a code, or one of its issues by index. */
export type IssueLine =
  | { readonly kind: 'code'; readonly group: CodeCount; readonly open: boolean }
  | { readonly kind: 'issue'; readonly group: CodeCount; readonly at: number }

/** The lines of the list: the codes of the shown severities, each with its issues unless it is collapsed. */
export class IssueLines {
  readonly count: number
  readonly groups: readonly CodeCount[]
  readonly #collapsed: ReadonlySet<string>

  constructor(codes: readonly CodeCount[], shown: ReadonlySet<IssueSeverity>, collapsed: ReadonlySet<string>) {
    this.groups = codes.filter(({ severity }) => shown.has(severity))
    this.#collapsed = collapsed
    this.count = this.groups.reduce((sum, group) => sum + this.#linesOf(group), 0)
  }

  /** Undefined if there is no such line. */
  lineAt(view: number): IssueLine | undefined {
    let first = 0
    for (const group of this.groups) {
      const next = first + this.#linesOf(group)
      if (view === first) return { kind: 'code', group, open: !this.#collapsed.has(group.code) }
      if (view > first && view < next) return { kind: 'issue', group, at: view - first - 1 }
      first = next
    }
    return undefined
  }

  /** The line of a code or of its `at`-th issue; -1 if it is not shown. */
  viewOf(code: IssueCodeName, at: number | null): number {
    let first = 0
    for (const group of this.groups) {
      if (group.code === code) {
        if (at === null) return first
        return this.#collapsed.has(code) || at >= group.count ? -1 : first + 1 + at
      }
      first += this.#linesOf(group)
    }
    return -1
  }

  #linesOf({ code, count }: CodeCount): number {
    return 1 + (this.#collapsed.has(code) ? 0 : count)
  }
}
