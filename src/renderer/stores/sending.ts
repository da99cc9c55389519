import type { Given, GivenFile, GivenFiles } from './given-files.ts'

/** How the page brings files to a host that cannot read them where they are. */
export interface SendFiles {
  /** Gives the path under which the host has the file. */
  send(
    file: GivenFile,
    group: string,
    options: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void }
  ): Promise<string>
  /** What was sent of a group is deleted, in a while. */
  discard(group: string): void
}

/** How far files are that are being sent. */
export interface Sending {
  readonly files: number
  readonly bytes: number
  readonly sentFiles: number
  readonly sentBytes: number
}

/** Files that the host has now. */
export interface SentFiles {
  readonly given: GivenFiles
  readonly group: string
  /** Under which the host has them, in the order of `given.files`. */
  readonly paths: readonly string[]
}

/** Files that go to others which were sent before. */
interface Joining {
  readonly group: string
  /** Those to send of what was given, with their paths in the group. */
  readonly choose: (given: GivenFiles) => Promise<readonly GivenFile[]>
}

/** What takes less is not told of, in ms. */
const patienceMs = 300

/** Sends what a person gives, one group after the other. */
export class FileSender {
  readonly #files: SendFiles
  readonly #tell: (sending: Sending | null) => void
  #last: Promise<unknown> = Promise.resolve()
  #stop: AbortController | null = null

  /** `tell` hears how far the group is that is being sent; null: none is. */
  constructor(files: SendFiles, tell: (sending: Sending | null) => void) {
    this.#files = files
    this.#tell = tell
  }

  /** Null: the person cancelled it. Rejects where something cannot be read or sent. Of a group of its own nothing is left then. */
  async send(given: Given, joining: Joining | null = null): Promise<SentFiles | null> {
    const sent = this.#last.then(async () => {
      const stop = new AbortController()
      this.#stop = stop
      const progress = new SendProgress(this.#tell)
      try {
        return await this.#send(given, joining, stop.signal, progress)
      } catch (error) {
        if (stop.signal.aborted) return null
        throw error
      } finally {
        progress.end()
      }
    })
    this.#last = sent.catch(() => {})
    return await sent
  }

  cancel(): void {
    this.#stop?.abort()
  }

  discard({ group }: SentFiles): void {
    this.#files.discard(group)
  }

  async #send(given: Given, joining: Joining | null, signal: AbortSignal, progress: SendProgress): Promise<SentFiles> {
    const read = await given.read(signal)
    const files = joining === null ? read.files : await joining.choose(read)
    const group = joining?.group ?? crypto.randomUUID()
    progress.begin(files)
    const paths: string[] = []
    try {
      for (const each of files) {
        paths.push(
          await this.#files.send(each, group, { signal, onBytes: (bytes) => progress.at(paths.length, bytes) })
        )
        progress.sent(each.file.size)
      }
      return { given: { ...read, files }, group, paths }
    } catch (error) {
      if (joining === null && files.length > 0) this.#files.discard(group)
      throw error
    }
  }
}

/** Told of from `patienceMs` on, at most ten times a second. */
class SendProgress {
  readonly #tell: (sending: Sending | null) => void
  readonly #timer: ReturnType<typeof setInterval>
  readonly #began = performance.now()
  #all = { files: 0, bytes: 0 }
  #sentFiles = 0
  #sentBytes = 0
  #ofThis = 0

  constructor(tell: (sending: Sending | null) => void) {
    this.#tell = tell
    this.#timer = setInterval(() => this.#report(), 100)
  }

  begin(files: readonly GivenFile[]): void {
    this.#all = { files: files.length, bytes: files.reduce((sum, { file }) => sum + file.size, 0) }
  }

  /** So much of the next file is sent. */
  at(sentFiles: number, bytes: number): void {
    if (sentFiles === this.#sentFiles) this.#ofThis = bytes
  }

  sent(bytes: number): void {
    this.#sentFiles += 1
    this.#sentBytes += bytes
    this.#ofThis = 0
  }

  end(): void {
    clearInterval(this.#timer)
    this.#tell(null)
  }

  #report(): void {
    if (performance.now() - this.#began < patienceMs) return
    const sentBytes = Math.min(this.#sentBytes + this.#ofThis, this.#all.bytes)
    this.#tell({ ...this.#all, sentFiles: this.#sentFiles, sentBytes })
  }
}
