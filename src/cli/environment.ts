import type { Readable, Writable } from 'node:stream'
import { terminalSafeLine } from '#core/terminal-safe-text.ts'
import type { CreateWorker } from '#backend/indexer/log-worker.ts'
import type { HostLibrary, LibraryOptions } from '#backend/library/library.ts'

/** What a command may use of the machine it runs on. Tests give their own. */
export interface Environment {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly variables: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  /** The home folder, which `~` stands for. */
  readonly home: string
  /** The user is root: Electron's sandbox does not run as root. */
  readonly isRoot: boolean
  readonly version: string
  /** Folder of package.json, which is also the folder Electron starts. */
  readonly root: string
  readonly createWorker: CreateWorker
  /** Loaded only where sessions are looked for. */
  createLibrary(options: LibraryOptions): Promise<HostLibrary>
  /** The time, in ms since the epoch. */
  now(): number
  /** Resolves when the person or the system asks the process to end; called anew, when they ask again. */
  untilStopped(): Promise<void>
}

/** Says something to the person: stdout is for data only. What a line quotes of a log or a file name can neither steer the terminal nor begin a line. */
export function say({ stderr }: Pick<Environment, 'stderr'>, ...lines: readonly string[]): void {
  stderr.write(`playhead: ${lines.map(terminalSafeLine).join('\n')}\n`)
}
