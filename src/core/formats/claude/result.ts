import { maxTokens } from '../../requests/tokens.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import { arrayAt, isJsonObject, numberAt, objectAt, stated, stringAt } from '../../json.ts'
import type { TurnCompleted } from '../../events/agent-event.ts'
import { isTooDeep } from '../json-depth.ts'
import type { DecodedBuilder } from './decoded.ts'
import { countersOf } from './turn-usage.ts'
import { lengthAt, usdAt } from '../stated-amounts.ts'

/** A `result` record: docs/formats/claude-stream-json.md#result-ends-a-turn. */
export function readResult(out: DecodedBuilder, record: JsonObject): void {
  const finishReason = finishReasonOf(record)
  const text = stringAt(record, 'result') ?? ''
  if (finishReason === 'error') {
    const errors = errorsOf(record).join('\n')
    out.event({ type: 'error', error: errors || text || errorCode(record), code: errorCode(record) })
  } else if (text !== '') {
    out.event({ type: 'text', text, role: 'assistant', category: 'result' })
  }
  const [costUsd, durationMs] = [usdAt(record, 'total_cost_usd'), lengthAt(record, 'duration_ms')]
  const facts = stated({ usage: usageOf(record), costUsd, durationMs })
  const body = out.draft({ type: 'turn.completed', finishReason, ...facts })
  const firstTokenMs = numberAt(record, 'ttft_ms') ?? -1
  out.steps.push({
    kind: 'turn-end',
    body,
    windows: windowsOf(record),
    firstTokenMs: firstTokenMs >= 0 ? firstTokenMs : undefined
  })
}

/** Limit of models per process. */
const maxModels = 50

/** Context windows in tokens by model, of `modelUsage`. */
function windowsOf(record: JsonObject): Readonly<Record<string, number>> | undefined {
  const usage = objectAt(record, 'modelUsage')
  if (usage === undefined) return undefined
  const windows = new Map<string, number>()
  for (const [model, used] of Object.entries(usage).slice(0, maxModels)) {
    const window = isJsonObject(used) ? (numberAt(used, 'contextWindow') ?? 0) : 0
    if (window >= 1 && window <= maxTokens) windows.set(model, Math.round(window))
  }
  return Object.fromEntries(windows)
}

/** Above the values of any version; larger usages are cut, as events of turns are stored. */
const maxUsageValues = 100
const maxUsageText = 200

function usageOf(record: JsonObject): JsonObject | undefined {
  const usage = objectAt(record, 'usage')
  if (usage === undefined || isTooDeep(usage)) return undefined
  return valuesLeft(usage, maxUsageValues) >= 0 ? usage : countersOf(usage)
}

/** `budget` minus the number of values; negative if exceeded or if a text is too long. */
function valuesLeft(value: JsonValue | undefined, budget: number): number {
  if (typeof value === 'string') return value.length > maxUsageText ? -1 : budget - 1
  if (typeof value !== 'object' || value === null) return budget - 1
  let left = budget - 1
  for (const key in value) {
    left = valuesLeft((value as JsonObject)[key], left)
    if (left < 0 || key.length > maxUsageText) return -1
  }
  return left
}

/** Whether a person interrupted the turn. */
export function isInterrupt(record: JsonObject): boolean {
  return record['type'] === 'result' && finishReasonOf(record) === 'cancelled'
}

/** docs/formats/claude-stream-json.md#how-a-turn-ended */
function finishReasonOf(record: JsonObject): TurnCompleted['finishReason'] {
  const subtype = stringAt(record, 'subtype') ?? ''
  const terminalReason = stringAt(record, 'terminal_reason') ?? ''
  if (terminalReason.startsWith('aborted')) return 'cancelled'
  // Older versions have no terminal reason; only the errors show an interrupt.
  if (subtype === 'error_during_execution' && errorsOf(record).some(saysAborted)) return 'cancelled'
  // `is_error` is false with error_max_turns in 1.0 and 2.0.
  if (subtype.startsWith('error')) return 'error'
  return record['is_error'] === true ? 'error' : 'done'
}

function saysAborted(error: string): boolean {
  return /\babort(?:ed|error)\b|\binterrupted by user\b/i.test(error.slice(0, 1000))
}

function errorsOf(record: JsonObject): readonly string[] {
  return (arrayAt(record, 'errors') ?? []).filter((error): error is string => typeof error === 'string')
}

/** The subtype, or the status of an API error that "succeeded". */
function errorCode(record: JsonObject): string {
  const subtype = stringAt(record, 'subtype') ?? ''
  if (subtype.startsWith('error')) return subtype
  const status = record['api_error_status']
  return typeof status === 'number' ? `api_error_${status}` : (stringAt(record, 'terminal_reason') ?? 'error')
}
