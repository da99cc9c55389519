import type { JsonObject, JsonValue } from '../json.ts'
import type { SessionLog } from './session-log.ts'

/**
 * Facts that a program writes only to its own log during a run. Playhead copies them to a file beside the recording, in
 * the recording's format, which becomes a file of the run. The recording itself stays unchanged.
 */
export interface LiveNotes extends SessionLog {
  /** ASCII text that every line with a note contains. */
  readonly cue: string
  /** The notes of a record, a line each. May repeat. */
  notesOf(record: JsonValue): readonly JsonObject[]
  /** The name of the notes' file, by that of the recording. */
  fileOf(recording: string): string
}
