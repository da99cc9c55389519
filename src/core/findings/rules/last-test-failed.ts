import { Call, type OpenCall } from '../call.ts'
import { checkResult } from '../check-result.ts'
import { copied, ownText } from '../own-text.ts'
import type { Finding } from '../finding.ts'
import { doneTraits, Rule } from '../rule.ts'
import type { CallEnd } from '../seen-event.ts'

/** Lines of an output above which a commit may have run checks in its hooks. */
const hookLines = 12

/** The last test of the run failed, and nothing after it may have tested again. */
export class LastTestFailed extends Rule {
  override readonly looksAt = doneTraits.afterTest | doneTraits.mayHideFailure
  private last: { readonly seq: number; readonly about: string } | null = null

  override call(call: OpenCall): void {
    if (this.last !== null && new Call(call).mayCheck) this.remember(null)
  }

  override end(end: CallEnd): void {
    const { call, outcome } = end
    if (this.last === null && end.counts === 'done' && !end.mayHideFailure) return
    if (call.check?.isTest === true) {
      this.remember(checkResult(end) === 'failed' ? { seq: call.seq, about: copied(call.about) } : null)
    } else if (this.last !== null && (call.mayCheck || (call.commits && speaksOfChecks(outcome.text)))) {
      this.remember(null)
    }
  }

  override open(): readonly Finding[] {
    if (this.last === null) return []
    const { seq } = this.last
    const about = ownText(this.last.about)
    return [
      {
        rule: 'last-test-failed',
        text: `The last test of the session failed: ${about}`,
        short: 'last test failed',
        events: [seq],
        more: 0,
        facts: { about }
      }
    ]
  }

  private remember(last: LastTestFailed['last']): void {
    this.last = last
    if (last === null) this.run.looks &= ~doneTraits.afterTest
    else this.run.looks |= doneTraits.afterTest
  }
}

function speaksOfChecks(output: string): boolean {
  const head = output.slice(0, 50_000)
  return (
    head.split('\n', hookLines + 2).length > hookLines && /\b(?:tests?|lint|checks?|hooks?|passed|failed)\b/i.test(head)
  )
}
