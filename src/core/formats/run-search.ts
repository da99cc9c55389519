import type { JsonValue } from '../json.ts'

/** The main file of a run. */
export interface MainFile {
  readonly name: string
  /** Names of its parent folders, the nearest last. */
  readonly folders: readonly string[]
  /** The records of its first 64 KiB. */
  readonly records: readonly JsonValue[]
  /** Last write, in ms since the epoch. */
  readonly modified: number
}

/** A file that may belong to the run. */
export interface Candidate {
  /** Relative to the main file's folder, with `/`. */
  readonly path: string
  /** The records of its first bytes; none if unreadable. */
  readonly records: readonly JsonValue[]
  /** The JSON of the file that `companionOf` names. */
  readonly companion?: JsonValue
}

/** A file's place in the tree of the run. */
export interface RunLink {
  /** The key that files of its own subagents name as `parent`. */
  readonly key: string
  /** `RunSearch.key` of the main file, or the `key` of another one. */
  readonly parent: string
  /** The call that started the agent, if a companion file states it. */
  readonly callId?: string | undefined
  /** Count the file without showing it; singular and plural of its kind. */
  readonly hidden?: { readonly one: string; readonly many: string }
}

/** How to find the other files of a run. Pure: the caller reads the folders. */
export interface RunSearch {
  /** The key that files of the main agent's subagents name as `parent`. */
  readonly key: string
  /**
   * Folders to search, relative to the main file's, `''` for itself; `depth`: levels below. Many may not exist. If
   * there are too many files, the first folders count.
   */
  readonly folders: readonly { readonly path: string; readonly depth: number }[]
  /** Whether the file is worth opening, by its path. */
  mayBelong(path: string): boolean
  /** Whether it is, if it is known to name this parent session; null: it names none. Absent: only opening it tells. */
  mayHaveParent?(path: string, parent: string | null): boolean
  /** A companion file of a candidate. */
  companionOf?(path: string): string
  /** Null for files of other runs. */
  linkOf(candidate: Candidate): RunLink | null
}

/** The last part of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
