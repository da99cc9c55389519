import type { Call } from '../call.ts'
import type { Finding } from '../finding.ts'
import { OpenCalls } from '../open-calls.ts'
import { type CallEnd, Rule, type SeenEvent } from '../rule.ts'

/** A call that has no result although its caller went on. Calls of subagents have a rule of their own. */
export class CallWithoutResult extends Rule {
  private readonly calls = new OpenCalls()

  override call(call: Call): void {
    this.calls.act(call.track, call.seq)
    if (call.kind !== 'agent') this.calls.add(call)
  }

  override end({ call, track }: CallEnd): void {
    this.calls.delete(call)
    this.calls.answer(track)
  }

  override prompt({ track }: SeenEvent): void {
    this.calls.answer(track)
  }

  override answer({ track, seq }: SeenEvent): void {
    this.calls.act(track, seq)
  }

  override open(): readonly Finding[] {
    return this.calls.left.map(({ seq, about, tool }) => ({
      rule: 'call-without-result',
      text: `A call has no result, although the agent went on: ${about === '' ? tool : `${tool}: ${about}`}`,
      short: 'no result',
      events: [seq],
      more: 0,
      facts: { tool, about }
    }))
  }
}
