import type { JsonObject, JsonValue } from '../json.ts'

/**
 * What a program does not print, but writes into a log of its own meanwhile. While a run goes on Playhead notes it in a file beside the recording, in
 * lines of the recording's format, which are read as a file of the same run from then on: the recording stays what the program wrote.
 */
export interface LiveNotes {
  /** In each folder of the program's own, the one with this name has logs. */
  readonly subfolder: string
  /** By the name of a log: may it be that of the session? */
  mayBeOf(name: string, session: string): boolean
  /** Whether the first record of a log says that it is of the session. */
  isOf(first: JsonValue, session: string): boolean
  /** ASCII. Only lines with this text can have something to note. */
  readonly cue: string
  /** What is to be noted of a record: each becomes a line. The same may be given again. */
  notesOf(record: JsonValue): readonly JsonObject[]
  /** The name of the file with the notes, given that of the recording. */
  fileOf(recording: string): string
}
