import { isJsonObject, type JsonObject, numberAt, objectAt, stringAt } from '../json.ts'
import { toolSummary } from '../index/tool-summary.ts'
import type { Ask } from './ask.ts'

/** Characters of a call's id and of a tool's name. An ask with a longer id is not linked to its call. */
const maxId = 1000
const maxTool = 200

/** A line of `dialogue.jsonl` about what the agent asks, where its recording does not have that. */
export interface AskNote {
  /** Ms since the epoch. */
  readonly at: number
  readonly by: 'agent'
  readonly asked: NotedAsk | null
  /** The id of an ask that nobody decided, and for which the agent waits no longer. */
  readonly withdrawn: string | null
}

/** An ask in short: what its rows say. */
export interface NotedAsk {
  /** `Ask.id`. */
  readonly id: string
  /** The id of the call; null: not stated. */
  readonly toolId: string | null
  readonly tool: string
  readonly about: string
}

export function noteOfAsk(at: number, { id, toolId, tool, input }: Ask): AskNote {
  const asked = {
    id,
    toolId: toolId !== null && toolId.length <= maxId ? toolId : null,
    tool: (tool ?? '').slice(0, maxTool),
    about: isJsonObject(input) ? toolSummary(input).text : ''
  }
  return { at, by: 'agent', asked, withdrawn: null }
}

export function noteOfWithdrawal(at: number, { id }: Pick<Ask, 'id'>): AskNote {
  return { at, by: 'agent', asked: null, withdrawn: id }
}

/** Null for a record of another kind. */
export function askNoteOf(record: JsonObject): AskNote | null {
  const at = numberAt(record, 'at')
  if (at === undefined || record['by'] !== 'agent') return null
  const withdrawn = stringAt(record, 'withdrawn')
  if (withdrawn !== undefined) return { at, by: 'agent', asked: null, withdrawn }
  const asked = objectAt(record, 'asked') ?? {}
  const [id, toolId = null, tool, about] = [
    stringAt(asked, 'id'),
    stringAt(asked, 'toolId'),
    stringAt(asked, 'tool'),
    stringAt(asked, 'about')
  ]
  if (id === undefined || tool === undefined || about === undefined) return null
  return { at, by: 'agent', asked: { id, toolId, tool, about }, withdrawn: null }
}
