import type { JsonObject } from '../json.ts'
import type { SessionDatabase } from './session-database.ts'

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
  /** The parent session of a subagent's log, by its path (with `/`, of any length). */
  parentOf?(path: string): string | null
  /** The session of a log, by its path. */
  sessionOf?(path: string): string | null
  /** A companion file with session facts, by the log's path. Logs may share one. */
  readonly companion?: {
    fileOf(path: string): string
    /** Pure; must not throw. */
    facts(text: string, path: string): SessionFacts
  }
  /** The files are databases with sessions. */
  readonly database?: SessionDatabase
  /** A file that names further roots, and the absolute folders in its text. */
  readonly list?: {
    fileOf(system: StoreSystem): string
    /** Pure; must not throw. */
    roots(text: string): readonly string[]
  }
  /** The command that resumes a session: `['claude', '--resume', id]`. */
  resume?(sessionId: string): readonly string[]
}

/** A record's facts about its session, beside its events. */
export interface SessionFacts {
  readonly sessionId?: string
  /** The agent's or the user's title. A later one replaces it. */
  readonly title?: string
  /** The user's title; the agent's titles never replace it. */
  readonly isNamed?: true
  /** The title applies only if the log contains the record with this id. */
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
  /** Last write, in ms since the epoch, if stated apart from the records' times. */
  readonly endedAt?: number
}

/** How a format states sessions. */
export interface SessionFormat {
  /** Pure; must not throw. Null: no facts. */
  facts(record: JsonObject): SessionFacts | null
  /** Whether a prompt's text is written by the program: `<environment_context>…`. */
  isInjected?(text: string): boolean
  /** The person's words in a prompt, without the program's preface. Absent: all of it. */
  wordsOf?(text: string): string
  /** Every record with a title contains one of these; others are not parsed. Absent: no titles. */
  readonly titleMarkers?: readonly string[]
  /** Facts that such logs never state. */
  readonly lacks?: readonly ('project' | 'prompt' | 'model')[]
  /**
   * How turns end. `unsaid`: with the agent's last words, no record is needed. `guessed`: the same, and only the fold's
   * turn ends count. Absent: by a record; a turn without one was interrupted.
   */
  readonly ends?: 'unsaid' | 'guessed'
}
