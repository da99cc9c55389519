import type { JsonValue } from '../json.ts'

/** The copy of such a log in the folder of a run. */
export const sessionCopyFile = 'session.jsonl'

/** How to find the log that a program itself keeps of a session, in a folder of each project. */
export interface SessionLog {
  /** The name of the folders that contain its logs. */
  readonly subfolder: string
  /** Whether a log may belong to the session, by its name. */
  mayBeOf(name: string, session: string): boolean
  /** Whether the first record of a log states the session. */
  isOf(first: JsonValue, session: string): boolean
}
