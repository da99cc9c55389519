import type { LogAccess } from './log-access.ts'

/** The file that a person looks at. */
export interface ViewedFile {
  /** As in `TouchedFiles`, or as the call of `row` states it. */
  readonly path: string
  /** The row of a result about it; null: the path is the whole one. */
  readonly row: number | null
  /** The first selected line, from 1; null: none. */
  readonly line: number | null
}

export interface FileViewingState {
  /** Null: the person has chosen none. */
  readonly viewedFile: ViewedFile | null
}

/** Chooses the file of the view of files. */
export class FileViewing {
  readonly #log: LogAccess<FileViewingState>

  constructor(log: LogAccess<FileViewingState>) {
    this.#log = log
  }

  show(path: string, { row = null, line = null }: Partial<Omit<ViewedFile, 'path'>> = {}): void {
    this.#log.set({ viewedFile: { path, row, line } })
  }
}
