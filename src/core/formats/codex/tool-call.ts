import type { JsonObject } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import { isTooDeep, tooDeepIssue } from '../json-depth.ts'
import type { EventDraft } from '../log-format.ts'
import type { statedDuration } from '../stated-duration.ts'
import { type ExecDecoded, type ItemPhase, stepped } from './exec-decoded.ts'

/** How a tool ended: what it said, or what went wrong. */
export interface Outcome {
  readonly text: string
  readonly failed: boolean
  readonly took?: ReturnType<typeof statedDuration>
}

export interface ToolCall {
  readonly toolId: string
  readonly toolName: string
  readonly input: JsonObject
  /** JSON path of what the input is made of. */
  readonly path: string
  readonly phase: ItemPhase
  /** Null until it has ended. */
  readonly outcome: Outcome | null
}

/** The record of a call: its start, in case no line before said so, and where it has one its end. */
export function toolCall(call: ToolCall, issues: readonly IssueDraft[], itemNumber: number | null): ExecDecoded {
  const { toolId, toolName, input, path, phase, outcome } = call
  const step = { kind: 'tool', id: toolId, phase } as const
  const deep = isTooDeep(input)
  const found = deep ? [...issues, tooDeepIssue(path)] : issues
  const started: EventDraft = { type: 'tool.started', toolName, toolId, input: deep ? {} : input }
  if (outcome === null) return stepped([started], found, step, itemNumber)
  const { text, failed, took } = outcome
  const said = failed ? { error: text } : { output: text }
  const completed: EventDraft = { type: 'tool.completed', toolId, ...said, ...took }
  return stepped([started, completed], found, step, itemNumber)
}
