import type { AgentEvent } from '#core/events/agent-event.ts'
import type { JsonObject } from '#core/json.ts'
import { toolUse } from '#core/tools/tool-use.ts'
import type { RowDetail } from '../inspector/use-row-detail.ts'

/** The texts of a step that are compared: what was done, and what came of it. */
export interface StepText {
  readonly what: string
  /** Null: the step has no result. */
  readonly result: string | null
  /** Whether the end of a text is missing. */
  readonly isCut: boolean
}

export const noStep: StepText = { what: '', result: null, isCut: false }

/** The texts of a row and its pair. */
export function stepText({ event, pair, cut }: RowDetail): StepText {
  const result = pair?.event.type === 'tool.completed' ? (pair.event.error ?? pair.event.output ?? '') : null
  return { what: event === null ? '' : textOf(event), result, isCut: cut.length + (pair?.cut.length ?? 0) > 0 }
}

function textOf(event: AgentEvent): string {
  switch (event.type) {
    case 'tool.started':
      return inputText(event.toolName, event.input)
    case 'todo_list':
      return event.items.map(({ status, text }) => `${status}: ${text}`).join('\n')
    case 'text':
      return event.text
    case 'error':
      return event.error
    case 'turn.completed':
      return event.finishReason
    default:
      return ''
  }
}

/** A command as it is, other inputs as a line for each member. */
function inputText(tool: string, input: JsonObject): string {
  const use = toolUse(tool, input)
  const rest = Object.entries(input).filter(([key]) => use.what !== 'command' || !use.consumedKeys.includes(key))
  const members = rest.map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`
  )
  return [...(use.what === 'command' ? [use.command.text] : []), ...members].join('\n')
}
