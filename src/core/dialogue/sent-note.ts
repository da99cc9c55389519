import { isJsonObject, type JsonObject, numberAt, stringAt } from '../json.ts'
import { parseJson } from '../formats/json-text.ts'
import type { RunSearch } from '../formats/run-search.ts'

/** The file with what was sent to an agent, beside its recording. */
export const dialogueFile = 'dialogue.jsonl'

/** A line of that file: what was sent to the agent, and when. */
export interface SentNote {
  /** Ms since the epoch. */
  readonly at: number
  /** Bytes of the recording at that moment. */
  readonly after: number
  /** `person`, `limit` or `protocol`. */
  readonly by: string
  /** The line as sent; null: it is kept secret. */
  readonly sent: string | null
}

/** Null for a record of another kind. */
export function sentNoteOf(record: JsonObject): SentNote | null {
  const [at, after, by, sent] = [
    numberAt(record, 'at'),
    numberAt(record, 'after'),
    stringAt(record, 'by'),
    record['sent']
  ]
  if (at === undefined || after === undefined || by === undefined) return null
  return typeof sent === 'string' || sent === null ? { at, after, by, sent } : null
}

/** What was sent, if it is a JSON object. */
export function sentRecord({ sent }: SentNote): JsonObject | null {
  const parsed = sent === null ? null : parseJson(sent)
  return parsed?.ok === true && isJsonObject(parsed.value) ? parsed.value : null
}

/** The place of what was sent among those of the recording, whose places are their offsets: before the line that begins there. */
export function orderOfSent({ after }: SentNote): number {
  return after - 1
}

/** Finds the file beside a recording of that name. A log of another name may be of another run. */
export function dialogueBeside(recording: string): RunSearch {
  return {
    key: recording,
    folders: [{ path: '', depth: 0 }],
    mayBelong: (path) => path === dialogueFile,
    linkOf: ({ path, records: [first] }) =>
      isJsonObject(first) && sentNoteOf(first) !== null ? { key: path, parent: recording } : null
  }
}
