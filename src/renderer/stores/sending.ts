import type { Given, GivenFile, GivenFiles } from './given-files.ts'

/** How the page uploads files that the host cannot read itself. */
export interface SendFiles {
  /** Resolves to the file's path on the host. */
  send(
    file: GivenFile,
    group: string,
    options: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void }
  ): Promise<string>
  /** Deletes the uploaded files of a group later. */
  discard(group: string): void
}

/** The progress of an upload. */
export interface Sending {
  readonly files: number
  readonly bytes: number
  readonly sentFiles: number
  readonly sentBytes: number
}

/** Uploaded files. */
export interface SentFiles {
  readonly given: GivenFiles
  readonly group: string
  /** Their paths on the host, in the order of `given.files`. */
  readonly paths: readonly string[]
}

/** Files that are added to an earlier upload. */
interface Joining {
  readonly group: string
  /** Selects the files to upload, with their paths in the group. */
  readonly choose: (given: GivenFiles) => Promise<readonly GivenFile[]>
}

/** Progress is shown after this time, in ms. */
const quietMs = 300

/** Uploads files, one group after the other. */
export class FileSender {
  readonly #files: SendFiles
  readonly #onProgress: (sending: Sending | null) => void
  #last: Promise<unknown> = Promise.resolve()
  #stop: AbortController | null = null

  /** `onProgress`: called with the progress of the current group; null for none. */
  constructor(files: SendFiles, onProgress: (sending: Sending | null) => void) {
    this.#files = files
    this.#onProgress = onProgress
  }

  /** Null if the person cancelled it. Rejects on a read or upload error. A new group is then deleted. */
  async send(given: Given, joining: Joining | null = null): Promise<SentFiles | null> {
    const sent = this.#last.then(async () => {
      const stop = new AbortController()
      this.#stop = stop
      const progress = new SendProgress(this.#onProgress)
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

/** Reports progress from `quietMs` on, at most ten times a second. */
class SendProgress {
  readonly #onProgress: (sending: Sending | null) => void
  readonly #timer: ReturnType<typeof setInterval>
  readonly #began = performance.now()
  #all = { files: 0, bytes: 0 }
  #sentFiles = 0
  #sentBytes = 0
  #bytesOfNext = 0

  constructor(onProgress: (sending: Sending | null) => void) {
    this.#onProgress = onProgress
    this.#timer = setInterval(() => this.#report(), 100)
  }

  begin(files: readonly GivenFile[]): void {
    this.#all = { files: files.length, bytes: files.reduce((sum, { file }) => sum + file.size, 0) }
  }

  /** Bytes of the next file that were sent. */
  at(sentFiles: number, bytes: number): void {
    if (sentFiles === this.#sentFiles) this.#bytesOfNext = bytes
  }

  sent(bytes: number): void {
    this.#sentFiles += 1
    this.#sentBytes += bytes
    this.#bytesOfNext = 0
  }

  end(): void {
    clearInterval(this.#timer)
    this.#onProgress(null)
  }

  #report(): void {
    if (performance.now() - this.#began < quietMs) return
    const sentBytes = Math.min(this.#sentBytes + this.#bytesOfNext, this.#all.bytes)
    this.#onProgress({ ...this.#all, sentFiles: this.#sentFiles, sentBytes })
  }
}
