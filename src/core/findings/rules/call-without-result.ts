import { Call } from '../call.ts'
import type { Finding } from '../finding.ts'
import { ownText } from '../own-text.ts'
import { Rule } from '../rule.ts'

/** A call that has no result although its caller went on. Calls of subagents have a rule of their own. */
export class CallWithoutResult extends Rule {
  override open(): readonly Finding[] {
    return this.run.calls.left.flatMap((open): Finding[] => {
      const call = new Call(open)
      if (call.kind === 'agent') return []
      const { seq, tool } = call
      const about = ownText(call.about)
      return [
        {
          rule: 'call-without-result',
          text: `A call has no result, although the agent went on: ${about === '' ? tool : `${tool}: ${about}`}`,
          short: 'no result',
          events: [seq],
          more: 0,
          facts: { tool, about }
        }
      ]
    })
  }
}
