import type { EventBody } from '../events/agent-event.ts'
import type { LogFormat } from '../formats/log-format.ts'
import type { RecordedDiff, RecordFacts } from '../formats/record-facts.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { countImages } from '../media/log-images.ts'
import { toolOutput } from './tool-output.ts'

/** What a row's record states beside the event itself. Null: not stated. */
export interface RowFacts {
  /** The model that wrote this. */
  readonly model: string | null
  /** Tokens of the message or of a subagent's work, under the vendor's names. */
  readonly usage: JsonObject | null
  readonly exitCode: number | null
  readonly diffs: readonly RecordedDiff[]
  /** Images of the record that belong to the event. */
  readonly images: number
}

/** Longer outputs are not searched for an exit code; the record mostly states it too. */
const longOutput = 100_000

/** What the format reads from `record`, the JSON value of the event's line. */
export function recordFacts(
  { facts, recordFacts: ofRecord }: Pick<LogFormat, 'facts' | 'recordFacts'>,
  event: EventBody | null,
  record: JsonValue | undefined
): RecordFacts {
  if (event === null) return isJsonObject(record) ? (ofRecord?.(record) ?? {}) : {}
  const hasFacts = event.type === 'text' || event.type === 'tool.started' || event.type === 'tool.completed'
  return hasFacts && facts !== undefined && isJsonObject(record) ? facts(record, event) : {}
}

/** `recordFacts` plus what the event states, and what any record may contain. */
export function rowFacts(
  format: Pick<LogFormat, 'facts'>,
  event: EventBody | null,
  record: JsonValue | undefined
): RowFacts {
  const { model, usage, exitCode, diffs } = event === null ? {} : recordFacts(format, event, record)
  const toolId = event?.type === 'tool.completed' || event?.type === 'tool.started' ? event.toolId : null
  return {
    model: model ?? null,
    usage: usage ?? null,
    exitCode: exitCode ?? exitCodeIn(event),
    diffs: diffs ?? [],
    images: record === undefined ? 0 : countImages(record, toolId)
  }
}

function exitCodeIn(event: EventBody | null): number | null {
  if (event?.type !== 'tool.completed') return null
  const text = event.error ?? event.output ?? ''
  return text.length > longOutput ? null : toolOutput(text).exitCode
}
