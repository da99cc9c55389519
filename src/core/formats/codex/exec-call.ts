import type { JsonObject } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import { callInput } from '../json-depth.ts'
import type { EventDraft } from '../log-format.ts'
import { toolCompleted } from '../tool-completed.ts'
import { type ExecDecoded, type ItemPhase, withStep } from './exec-decoded.ts'
import type { Outcome } from './item-tools.ts'

export interface ToolCall {
  readonly toolId: string
  readonly toolName: string
  readonly input: JsonObject
  /** JSON path of the input's source. */
  readonly path: string
  readonly phase: ItemPhase
  /** Null before the end. */
  readonly outcome: Outcome | null
}

/** The record of a call: its start, in case no earlier record has it, and its end, if known. */
export function toolCall(call: ToolCall, issues: readonly IssueDraft[], itemNumber: number | null): ExecDecoded {
  const { toolId, toolName, input, path, phase, outcome } = call
  const step = { kind: 'tool', id: toolId, phase } as const
  const found = [...issues]
  const started: EventDraft = { type: 'tool.started', toolName, toolId, input: callInput(input, path, found) }
  if (outcome === null) return withStep([started], found, step, itemNumber)
  const completed = toolCompleted(toolId, outcome.failed, outcome.text, outcome.took)
  return withStep([started, completed], found, step, itemNumber)
}
