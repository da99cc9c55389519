import type { EventBody } from '../events/agent-event.ts'
import type { LogFormat } from '../formats/log-format.ts'
import type { RecordedDiff, RecordFacts } from '../formats/record-facts.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { countImages } from '../media/log-images.ts'
import { toolOutput } from './tool-output.ts'

/** What a row's record says of its event beside the event itself. Null: nothing. */
export interface RowFacts {
  /** The model that said or called this. */
  readonly model: string | null
  /** Tokens of the message, or of what a subagent did, in the vendor's own names. */
  readonly usage: JsonObject | null
  readonly exitCode: number | null
  readonly diffs: readonly RecordedDiff[]
  /** How many images the record holds that belong to the event. */
  readonly images: number
}

/** A longer output is told without its exit code, which the record mostly states as well. */
const longOutput = 100_000

/** What `record`, the JSON value of the event's line, says of it in the words of its format. */
export function recordFacts(
  { facts }: Pick<LogFormat, 'facts'>,
  event: EventBody,
  record: JsonValue | undefined
): RecordFacts {
  const isTold = event.type === 'text' || event.type === 'tool.started' || event.type === 'tool.completed'
  return isTold && facts !== undefined && isJsonObject(record) ? facts(record, event) : {}
}

/** The same with what the event itself says of it, and with what every record may hold. */
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
