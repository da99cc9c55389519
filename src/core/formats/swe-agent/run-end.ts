import type { TurnCompleted } from '../../events/agent-event.ts'
import { type JsonObject, numberAt, objectAt, stringAt } from '../../json.ts'
import { isTokenCount } from '../../requests/tokens.ts'
import type { PlainBuilder } from '../plain-record.ts'
import { usdAt } from '../stated-amounts.ts'

/** `info` says how the run ended and what it cost: docs/formats/swe-agent.md#info-ends-the-run. */
export function sayEnd(out: PlainBuilder, info: JsonObject): void {
  const status = stringAt(info, 'exit_status')
  const stats = objectAt(info, 'model_stats') ?? {}
  if (status === undefined && Object.keys(stats).length === 0) return
  const costUsd = usdAt(stats, 'instance_cost')
  const ended: TurnCompleted = {
    type: 'turn.completed',
    finishReason: status !== undefined && !/^submitted/i.test(status) ? 'error' : 'done',
    ...(costUsd !== undefined && { costUsd })
  }
  out.last(ended)
  const input = countAt(stats, 'tokens_sent')
  const output = countAt(stats, 'tokens_received')
  if (input !== undefined || output !== undefined) {
    out.note({ about: 'turn', trackId: undefined, model: undefined, tokens: { input, output } })
  }
}

function countAt(stats: JsonObject, key: string): number | undefined {
  const count = numberAt(stats, key)
  return isTokenCount(count) ? Math.round(count) : undefined
}
