import type { JsonObject, JsonValue } from '../json.ts'

/**
 * Facts that a program writes only to its own log during a run. Playhead copies them to a file beside the recording, in
 * the recording's format, which becomes a file of the run. The recording itself stays unchanged.
 */
export interface LiveNotes {
  /** The name of the folders that contain its logs. */
  readonly subfolder: string
  /** Whether a log may belong to the session, by its name. */
  mayBeOf(name: string, session: string): boolean
  /** Whether the first record of a log states the session. */
  isOf(first: JsonValue, session: string): boolean
  /** ASCII text that every line with a note contains. */
  readonly cue: string
  /** The notes of a record, a line each. May repeat. */
  notesOf(record: JsonValue): readonly JsonObject[]
  /** The name of the notes' file, by that of the recording. */
  fileOf(recording: string): string
}
