import { HostError } from '#contract/host-error.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import { TemporaryFile } from '../sources/temporary-file.ts'
import type { StreamTask } from './feed-messages.ts'
import { openIfThere, type OpenedFile } from './growing-file.ts'
import type { RunFiles } from './run-folder.ts'

/** How long a stream is kept that nobody reads: who lost the connection comes again, in ms. */
const keptMs = 30_000

interface Remade {
  readonly file: Promise<TemporaryFile>
  readers: number
  timer: NodeJS.Timeout | null
}

/** Streams of runs: as they stand in the folder of the run, or made anew of what was kept, into a temporary file without a name. */
export class RemadeStreams {
  readonly #createWorker: CreateWorker
  /** By run. */
  readonly #remade = new Map<string, Remade>()

  constructor(createWorker: CreateWorker) {
    this.#createWorker = createWorker
  }

  /** null: there is none so far. Rejects where it cannot be read or made, with a sentence. */
  async open(run: string, files: RunFiles): Promise<OpenedFile | null> {
    const written = await openIfThere(files.stream)
    if (written !== null) return written
    // What shrinks a stream writes this before it removes the other.
    const order = await openIfThere(files.order)
    if (order === null) return null
    await order.close()
    return await this.#anew(run, files.folder)
  }

  close(): void {
    for (const run of this.#remade.keys()) this.#drop(run)
  }

  async #anew(run: string, folder: string): Promise<OpenedFile> {
    const remade = this.#remade.get(run) ?? { file: this.#made(folder), readers: 0, timer: null }
    this.#remade.set(run, remade)
    clearTimeout(remade.timer ?? undefined)
    remade.readers += 1
    let isOpen = true
    const close = async (): Promise<void> => {
      if (!isOpen) return
      isOpen = false
      remade.readers -= 1
      if (remade.readers === 0) remade.timer = setTimeout(() => this.#drop(run), keptMs).unref()
    }
    try {
      const { handle: file } = await remade.file
      return { stat: file.stat.bind(file), read: file.read.bind(file), close }
    } catch (error) {
      this.#remade.delete(run)
      throw error
    }
  }

  async #made(folder: string): Promise<TemporaryFile> {
    const file = await TemporaryFile.create('stream')
    try {
      await this.#write(folder, file.descriptor)
      return file
    } catch (error) {
      await file.close()
      const why = error instanceof Error ? error.message : String(error)
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
    const remade = this.#remade.get(run)
    this.#remade.delete(run)
    clearTimeout(remade?.timer ?? undefined)
    void remade?.file.then(
      async (file) => await file.close(),
      () => {}
    )
  }
}
