import type { Agent } from '../../formats/agent.ts'
import { agents } from '../../formats/agents.ts'
import { ownText } from '../own-text.ts'
import { Rule } from '../rule.ts'
import type { SeenEvent, TurnEnd } from '../seen-event.ts'

const limits: ReadonlySet<string> = new Set(Object.values<Agent>(agents).flatMap((agent) => agent.limits ?? []))

/** A turn that ended with an error, a timeout or a limit. */
export class TurnFailed extends Rule {
  /** The last error since the last turn's end. */
  private error_: { readonly error: string; readonly code: string | null } | null = null

  override error(_event: SeenEvent, code: string | undefined, error: string): void {
    if (code !== 'JSONL_PARSE_ERROR')
      this.error_ = { error: ownText(error), code: code === undefined ? null : ownText(code, 60) }
  }

  override turn({ seq, finishReason }: TurnEnd): void {
    const last = this.error_
    this.error_ = null
    if (finishReason !== 'error' && finishReason !== 'timeout') return
    const limit = last?.code !== null && last !== null && limits.has(last.code)
    const how = limit
      ? 'A turn reached a limit'
      : finishReason === 'timeout'
        ? 'A turn timed out'
        : 'A turn ended with an error'
    this.run.found.add({
      rule: 'turn-failed',
      text: last === null ? how : `${how}: ${last.error}`,
      short: limit ? 'limit reached' : 'turn failed',
      events: [seq],
      more: 0,
      facts: { reason: finishReason, error: last?.error ?? null, code: last?.code ?? null, limit }
    })
  }
}
