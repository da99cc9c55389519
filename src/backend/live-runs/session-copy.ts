import { type FileHandle, open } from 'node:fs/promises'
import { messageOf } from '#contract/host-error.ts'
import type { SessionLog } from '#core/formats/session-log.ts'
import { isDiskFull, systemCode, writeFailure } from '../write-failure.ts'
import type { Uncopied } from './feed-messages.ts'
import { GrowingFile } from './growing-file.ts'
import { GrowthWatch } from './growth-watch.ts'
import { SessionLogFile } from './session-log-file.ts'

const chunkBytes = 1 << 18

export interface SessionCopyFiles {
  /** The copy. Only whoever reads the run writes it. */
  readonly recording: string
  /** The folder of the program's logs. */
  readonly logs: string
  /** The agent's log may have grown. */
  readonly grown: () => void
  /** Reports an error, a sentence. */
  readonly problem: (message: string) => void
}

/**
 * Keeps a recording equal to the log that the agent itself writes of its session, as that grows. What an earlier copy has is compared, and
 * the rest follows.
 */
export class SessionCopy {
  readonly #files: SessionCopyFiles
  readonly #search: SessionLogFile
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes)
  #session: string | null = null
  #log: GrowingFile | null = null
  #watch: GrowthWatch | null = null
  #copy: FileHandle | null = null
  /** Bytes of the copy; null: to be looked at. */
  #copied: number | null = null
  #uncopied: Uncopied | null = null
  #isOther = false

  constructor(log: SessionLog, files: SessionCopyFiles) {
    this.#files = files
    this.#search = new SessionLogFile(log, files.logs)
  }

  /** The session is known. */
  of(session: string): void {
    this.#session ??= session
  }

  /** What could not be copied; null: all is. */
  get uncopied(): Uncopied | null {
    return this.#uncopied
  }

  /** Copies what is new. A full disk leaves the rest for the next call. */
  async readOn(): Promise<void> {
    if (this.#isOther || this.#session === null || !(await this.#isFound(this.#session)) || this.#log === null) return
    try {
      this.#copy ??= await open(this.#files.recording, 'a+', 0o600)
      this.#copied ??= await this.#compared(this.#log, this.#copy)
    } catch (error) {
      return this.#failed(this.#uncopied?.from ?? 0, error)
    }
    while (!this.#isOther) {
      const from: number = this.#copied
      const bytes = await this.#log.read(this.#chunk, from)
      if (bytes.length === 0) {
        this.#uncopied = null
        return
      }
      try {
        await this.#copy.appendFile(bytes)
      } catch (error) {
        // A part of it may be written.
        this.#copied = null
        return this.#failed(from, error)
      }
      this.#copied = from + bytes.length
    }
  }

  /** Waits until the disk has what is copied. */
  async sync(): Promise<void> {
    try {
      await this.#copy?.sync()
    } catch (error) {
      this.#failed(0, error)
    }
  }

  async close(): Promise<void> {
    this.#watch?.close()
    await this.#log?.close()
    await this.#copy?.close()
    this.#log = null
    this.#copy = null
  }

  #failed(from: number, error: unknown): void {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    this.#uncopied = { from, error: isDiskFull(error) ? null : (systemCode(error) ?? messageOf(error)) }
    this.#files.problem(writeFailure(this.#files.recording, error).message)
  }

  async #isFound(session: string): Promise<boolean> {
    if (this.#log !== null) return true
    const path = await this.#search.find(session)
    if (path === null) return false
    this.#log = new GrowingFile(path)
    this.#watch = new GrowthWatch([path], this.#files.grown)
    return true
  }

  /** The size of the copy, which has to be the beginning of the log. */
  async #compared(log: GrowingFile, copy: FileHandle): Promise<number> {
    const { size } = await copy.stat()
    const copied = Buffer.allocUnsafe(Math.min(chunkBytes, size))
    for (let at = 0; at < size;) {
      const { bytesRead } = await copy.read(copied, 0, copied.length, at)
      const bytes = await log.read(this.#chunk.subarray(0, bytesRead), at)
      if (bytesRead > 0 && bytes.equals(copied.subarray(0, bytesRead))) at += bytesRead
      else {
        this.#isOther = true
        this.#files.problem(
          `The agent has written the log of its session anew. ${this.#files.recording} has what it wrote before.`
        )
        return size
      }
    }
    return size
  }
}
