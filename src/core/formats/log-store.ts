import type { JsonObject } from '../json.ts'

/** What it takes to tell where an agent keeps its logs on a machine. */
export interface StoreSystem {
  /** The person's home folder, absolute. */
  readonly home: string
  /** `linux`, `darwin`, `win32`. */
  readonly platform: string
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** Where an agent keeps the logs of its sessions. Pure: whoever has a file system walks the folders. */
export interface LogStore {
  /** Absolute folders. Some may not be there, which is no error. Sources: docs/format-sources.md. */
  roots(system: StoreSystem): readonly string[]
  /** How many folders deep below a root logs lie at most; 0: in the root itself. */
  readonly depth: number
  /** By its path below a root, with `/`: is the file worth opening? */
  mayBeLog(path: string): boolean
  /** The id of the session whose subagent the log is of, where its place says so. `path`: with `/`, of any length. */
  parentOf?(path: string): string | null
  /** The id of the session that the log is of, where only its place says so. `path`: as above. */
  sessionOf?(path: string): string | null
  /**
   * A file that says more about the session of a log, by the log's path, with `/`; what it says of that session. Several logs may have
   * the same one. Absent: there is none.
   */
  readonly companion?: {
    fileOf(path: string): string
    /** Pure; must not throw. */
    facts(text: string, path: string): SessionFacts
  }
  /** What goes on with a session, as words of a command line: `['claude', '--resume', id]`. */
  resume?(sessionId: string): readonly string[]
}

/** What a record says of its session, beside its events. */
export interface SessionFacts {
  readonly sessionId?: string
  /** What the agent or the person called the session. A later one takes the place of an earlier one. */
  readonly title?: string
  /** The person gave it the title: one that the agent makes later does not take its place. */
  readonly isNamed?: true
  /** An id of a record: the title is that of the session only where the log has this record. */
  readonly titleOf?: string
  /** The folder that the agent works in. */
  readonly cwd?: string
  readonly branch?: string
  readonly version?: string
  readonly model?: string
  /** It is the log of a subagent of this session. */
  readonly parentSession?: string
  /** It began as a copy of this session. */
  readonly forkedFrom?: string
  /** When it was last written to, ms since the epoch, where that is told apart from the records' own times. */
  readonly endedAt?: number
}

/** How a format tells of sessions. */
export interface SessionTeller {
  /** Pure; must not throw. Null: the record says nothing of its session. */
  facts(record: JsonObject): SessionFacts | null
  /** A text that stands where a prompt does, and that no person wrote: `<environment_context>…`. Absent: there are none. */
  isInjected?(text: string): boolean
  /** Of a text that stands where a prompt does: what the person wrote, without what the program put before it. Absent: all of it. */
  wordsOf?(text: string): string
  /** Texts one of which stands in each record that tells a title, so that others need not be read for it. Absent: none tells one. */
  readonly titleSigns?: readonly string[]
  /** What no record and no event of such a log tells: nobody looks on for it. */
  readonly lacks?: readonly ('project' | 'prompt' | 'model')[]
  /**
   * How it is known that a turn is over. `unsaid`: no record has to say so, after the agent's last words it is. `guessed`: so it is, and
   * that the fold says so counts only there. Absent: records say so, and a turn without one was broken off.
   */
  readonly ends?: 'unsaid' | 'guessed'
}
