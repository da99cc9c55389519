import type { JsonValue } from '../json.ts'

/** The main file of a run, as far as finding its other files takes it. */
export interface MainFile {
  readonly name: string
  /** Names of the folders it lies in, the nearest last. */
  readonly folders: readonly string[]
  /** The records of its first 64 KiB. */
  readonly records: readonly JsonValue[]
  /** When it was last written, ms since the epoch. */
  readonly modified: number
}

/** A file that may belong to the run. */
export interface Candidate {
  /** Relative to the main file's folder, with `/`. */
  readonly path: string
  /** The records of its first bytes; none where it could not be made out. */
  readonly records: readonly JsonValue[]
  /** What stands in the file that `companionOf` names, if it is there and JSON. */
  readonly companion?: JsonValue
}

/** How a file hangs together with the others of its run. */
export interface RunLink {
  /** What files of agents started by this one name as their parent. */
  readonly key: string
  /** `RunSearch.key` of the main file, or the `key` of another one. */
  readonly parent: string
  /** The tool call that started the agent, where something beside the file says so. */
  readonly callId?: string | undefined
  /** The file is no part of what happened: it is counted and not shown. What one is called, and several. */
  readonly hidden?: { readonly one: string; readonly many: string }
}

/** Where a run's other files lie and how they are told. Pure: whoever has a file system walks the folders. */
export interface RunSearch {
  /** What the files of the main one's own agents name as their parent. */
  readonly key: string
  /**
   * Folders to look in, relative to the main file's, `''` for that itself; `depth`: how far below. Many may not exist. Where there are
   * too many files those of the first folders are looked at.
   */
  readonly folders: readonly { readonly path: string; readonly depth: number }[]
  /** By the path alone: is the file worth opening? */
  mayBelong(path: string): boolean
  /** A file beside a candidate that says more about it. */
  companionOf?(path: string): string
  /** Null for a file that belongs to another run or to none. */
  linkOf(candidate: Candidate): RunLink | null
}

/** The last part of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
