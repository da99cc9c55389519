import { failureLine } from '../../index/failed-call.ts'
import { Call } from '../call.ts'
import type { Finding } from '../finding.ts'
import { ownText } from '../own-text.ts'
import { Rule } from '../rule.ts'
import type { CallEnd } from '../seen-event.ts'

/** A subagent's call that failed, or that has no result although its caller went on. */
export class SubagentFailed extends Rule {
  private damaged = false

  override end({ call, counts, outcome, seq }: CallEnd): void {
    if (counts !== 'failed' || call.kind !== 'agent') return
    const error = ownText(failureLine({ error: outcome.text }))
    const about = ownText(call.about)
    const how = outcome.interrupted
      ? 'was interrupted by the user'
      : outcome.refused === null
        ? 'failed'
        : 'was refused'
    this.run.found.add({
      rule: 'subagent-failed',
      text: `A subagent ${how}: ${error}`,
      short: outcome.interrupted ? 'subagent interrupted' : 'subagent failed',
      events: [call.seq, seq],
      more: 0,
      facts: { about, error, interrupted: outcome.interrupted, refused: outcome.refused }
    })
  }

  override damage(): void {
    this.damaged = true
  }

  override open(): readonly Finding[] {
    if (this.damaged) return []
    return this.run.calls.left.flatMap((open): Finding[] => {
      const call = new Call(open)
      if (call.kind !== 'agent') return []
      const about = ownText(call.about)
      return [
        {
          rule: 'subagent-failed',
          text: `A subagent has no result, although its caller went on: ${about}`,
          short: 'subagent without result',
          events: [call.seq],
          more: 0,
          facts: { about, error: null, interrupted: false, refused: null }
        }
      ]
    })
  }
}
