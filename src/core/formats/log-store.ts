import type { JsonObject } from '../json.ts'

/** The facts of a machine that log folders depend on. */
export interface StoreSystem {
  /** The home folder, absolute. */
  readonly home: string
  /** `linux`, `darwin`, `win32`. */
  readonly platform: string
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** Where an agent stores its logs. Pure: the caller reads the folders. */
export interface LogStore {
  /** Absolute folders, which may be missing. Sources: docs/format-sources.md. */
  roots(system: StoreSystem): readonly string[]
  /** Maximum folder levels below a root; 0: in the root itself. */
  readonly depth: number
  /** Whether a file may be a log, by its path below a root, with `/`. */
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

/** A record's facts about its session, beside its events. */
export interface SessionFacts {
  readonly sessionId?: string
  /** The agent's or the user's title. A later one replaces it. */
  readonly title?: string
  /** The user's title; the agent's titles never replace it. */
  readonly isNamed?: true
  /** An id of a record: the title is that of the session only where the log has this record. */
  readonly titleOf?: string
  /** The agent's working folder. */
  readonly cwd?: string
  readonly branch?: string
  readonly version?: string
  readonly model?: string
  /** The session whose subagent this is. */
  readonly parentSession?: string
  /** The origin of a fork. */
  readonly forkedFrom?: string
  /** When it was last written to, ms since the epoch, where that is told apart from the records' own times. */
  readonly endedAt?: number
}

/** How a format states sessions. */
export interface SessionTeller {
  /** Pure; must not throw. Null: no facts. */
  facts(record: JsonObject): SessionFacts | null
  /** A text that stands where a prompt does, and that no person wrote: `<environment_context>…`. Absent: there are none. */
  isInjected?(text: string): boolean
  /** Of a text that stands where a prompt does: what the person wrote, without what the program put before it. Absent: all of it. */
  wordsOf?(text: string): string
  /** Texts of which each record with a title contains one; other records are not parsed. Absent: no titles. */
  readonly titleSigns?: readonly string[]
  /** Facts that such logs never state, so they are not searched. */
  readonly lacks?: readonly ('project' | 'prompt' | 'model')[]
  /**
   * How it is known that a turn is over. `unsaid`: no record has to say so, after the agent's last words it is. `guessed`: so it is, and
   * that the fold says so counts only there. Absent: records say so, and a turn without one was broken off.
   */
  readonly ends?: 'unsaid' | 'guessed'
}
