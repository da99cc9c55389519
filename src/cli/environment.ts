import type { Readable, Writable } from 'node:stream'
import { terminalSafeLine } from '#core/terminal-safe-text.ts'
import type { CreateWorker } from '#backend/indexer/log-worker.ts'
import type { HostLibrary, LibraryOptions } from '#backend/library/library.ts'

/** The parts of the machine that a command uses. Tests replace them. */
export interface Environment {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly variables: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  readonly home: string
  /** Electron's sandbox does not run as root. */
  readonly isRoot: boolean
  readonly version: string
  /** The folder of package.json, which Electron starts. */
  readonly root: string
  readonly createWorker: CreateWorker
  /** Imports the library only when it is needed. */
  createLibrary(options: LibraryOptions): Promise<HostLibrary>
  /** Ms since the epoch. */
  now(): number
  /** Resolves on the next SIGINT or SIGTERM. */
  untilStopped(): Promise<void>
}

/** Writes to stderr, since stdout is for data only. Control characters and line ends in quoted text are escaped. */
export function say({ stderr }: Pick<Environment, 'stderr'>, ...lines: readonly string[]): void {
  stderr.write(`playhead: ${lines.map(terminalSafeLine).join('\n')}\n`)
}
