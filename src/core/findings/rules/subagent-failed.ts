import { failureLine } from '../../index/failed-call.ts'
import type { Call } from '../call.ts'
import type { Finding } from '../finding.ts'
import { ownText } from '../own-text.ts'
import { type CallEnd, Rule, type SeenEvent } from '../rule.ts'
import { OpenCalls } from '../open-calls.ts'

/** A subagent's call that failed, or that has no result although its caller went on. */
export class SubagentFailed extends Rule {
  private readonly calls = new OpenCalls()
  private damaged = false

  override call(call: Call): void {
    this.calls.act(call.track, call.seq)
    if (call.kind === 'agent') this.calls.add(call)
  }

  override end({ call, counts, outcome, seq, track }: CallEnd): void {
    if (call.kind === 'agent') this.calls.delete(call)
    this.calls.answer(track)
    if (call.kind !== 'agent' || counts !== 'failed') return
    const error = ownText(failureLine({ error: outcome.text }))
    const about = ownText(call.about)
    const how = outcome.interrupted
      ? 'was interrupted by the user'
      : outcome.refused === null
        ? 'failed'
        : 'was refused'
    this.found.add({
      rule: 'subagent-failed',
      text: `A subagent ${how}: ${error}`,
      short: outcome.interrupted ? 'subagent interrupted' : 'subagent failed',
      events: [call.seq, seq],
      more: 0,
      facts: { about, error, interrupted: outcome.interrupted, refused: outcome.refused }
    })
  }

  override prompt({ track }: SeenEvent): void {
    this.calls.answer(track)
  }

  override answer({ track, seq }: SeenEvent): void {
    this.calls.act(track, seq)
  }

  override damage(): void {
    this.damaged = true
  }

  override open(): readonly Finding[] {
    if (this.damaged) return []
    return this.calls.left.map(({ seq, about }) => ({
      rule: 'subagent-failed',
      text: `A subagent has no result, although its caller went on: ${about}`,
      short: 'subagent without result',
      events: [seq],
      more: 0,
      facts: { about, error: null, interrupted: false, refused: null }
    }))
  }
}
