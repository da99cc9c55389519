import { HostError, messageOf } from '#contract/host-error.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import { TemporaryFile } from '../sources/temporary-file.ts'
import type { StreamTask } from './feed-messages.ts'
import { openIfThere, type OpenedFile } from './growing-file.ts'
import type { RunFiles } from './run-folder.ts'

/** An unused stream is kept this long, for clients that reconnect. */
const keptMs = 30_000

interface Rebuilt {
  readonly file: Promise<TemporaryFile>
  readers: number
  timer: NodeJS.Timeout | null
}

/** Opens streams of runs: from the run's folder, or rebuilt into an unlinked temporary file. */
export class RebuiltStreams {
  readonly #createWorker: CreateWorker
  /** By run. */
  readonly #rebuilt = new Map<string, Rebuilt>()

  constructor(createWorker: CreateWorker) {
    this.#createWorker = createWorker
  }

  /** Null: no stream yet. Rejects with a sentence if it cannot be read or rebuilt. */
  async open(run: string, files: RunFiles): Promise<OpenedFile | null> {
    const written = await openIfThere(files.stream)
    if (written !== null) return written
    // Written before the stream is removed.
    const order = await openIfThere(files.order)
    if (order === null) return null
    await order.close()
    return await this.#openRebuilt(run, files.folder)
  }

  close(): void {
    for (const run of this.#rebuilt.keys()) this.#drop(run)
  }

  async #openRebuilt(run: string, folder: string): Promise<OpenedFile> {
    const rebuilt = this.#rebuilt.get(run) ?? { file: this.#rebuild(folder), readers: 0, timer: null }
    this.#rebuilt.set(run, rebuilt)
    clearTimeout(rebuilt.timer ?? undefined)
    rebuilt.readers += 1
    let isOpen = true
    const close = async (): Promise<void> => {
      if (!isOpen) return
      isOpen = false
      rebuilt.readers -= 1
      if (rebuilt.readers === 0) rebuilt.timer = setTimeout(() => this.#drop(run), keptMs).unref()
    }
    try {
      const { handle: file } = await rebuilt.file
      return { stat: file.stat.bind(file), read: file.read.bind(file), close }
    } catch (error) {
      this.#rebuilt.delete(run)
      throw error
    }
  }

  async #rebuild(folder: string): Promise<TemporaryFile> {
    const file = await TemporaryFile.create('stream')
    try {
      await this.#write(folder, file.descriptor)
      return file
    } catch (error) {
      await file.close()
      const why = messageOf(error)
      throw new HostError('unavailable', `The event stream of this run cannot be rebuilt: ${why}.`)
    }
  }

  async #write(folder: string, into: number): Promise<void> {
    const task: StreamTask = { role: 'run-stream', folder, into }
    const worker = this.#createWorker({ workerData: task, name: 'run-stream' })
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve())
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('its thread ended too early')))
    })
  }

  #drop(run: string): void {
    const rebuilt = this.#rebuilt.get(run)
    this.#rebuilt.delete(run)
    clearTimeout(rebuilt?.timer ?? undefined)
    void rebuilt?.file.then(
      async (file) => await file.close(),
      () => {}
    )
  }
}
