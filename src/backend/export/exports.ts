import { randomBytes } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import type { exportMethods } from '#contract/exports.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, LogStatus, Params, Result } from '#contract/methods.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import type { Bookmark } from '#core/replay/review.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { RunOptions } from '../sources/run.ts'
import { exportName } from './export-name.ts'
import type { ExportAnswer, ExportStep, ExportTask } from './export-thread.ts'
import { type OutputFile, outputFile } from './output-file.ts'
import { pageParts } from './page-parts.ts'

/** An export without a request for this long is cancelled: its page is gone. */
const maxIdleMs = 60_000
/** One more cancels the oldest. */
const maxParallel = 8

export interface ExportsOptions {
  readonly createWorker: CreateWorker
  readonly version: string
  /** Folder of the built parts of a shared page. */
  readonly pageParts: string
  readonly now: () => number
  readonly prices: () => Promise<PriceTable | null>
  /** Asks the user where to save; null: cancelled. Absent: the page receives the bytes. */
  readonly saveDialog?: (name: string) => Promise<string | null>
  status(log: string): LogStatus
  /** The files of the log. */
  source(log: string): RunOptions
  bookmarks(log: LogStatus): Promise<readonly Bookmark[]>
}

/** Running exports, each in a thread of its own, so that the log stays responsive. */
export class Exports {
  readonly handlers: Pick<Handlers, keyof typeof exportMethods> = {
    'export.start': (params) => this.#start(params),
    'export.next': ({ export: id }) => this.#next(id),
    'export.end': async ({ export: id }) => {
      await this.#end(id)
      return {}
    }
  }
  readonly #options: ExportsOptions
  readonly #running = new Map<string, RunningExport>()

  constructor(options: ExportsOptions) {
    this.#options = options
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((id) => this.#end(id)))
  }

  async #start(params: Params<'export.start'>): Promise<Result<'export.start'>> {
    const { createWorker, saveDialog } = this.#options
    const { form, preview } = params
    const status = this.#options.status(params.log)
    const files = status.files.length
    // The raw log has the files that the person was shown.
    const source = { ...this.#options.source(params.log), ...(form === 'raw' && files === 0 && { single: true }) }
    const name = exportName(status.name, { form, isPart: params.events !== null, files })
    const task = await this.#task(params, status, source)
    const path = preview ? null : ((await saveDialog?.(name)) ?? null)
    if (path === null && saveDialog !== undefined && !preview) return { export: null, name, path }
    const target = path === null ? null : await outputFile(path, source.path)
    const id = randomBytes(8).toString('hex')
    this.#running.set(
      id,
      new RunningExport(createWorker({ workerData: task, name: 'export' }), target, () => void this.#end(id))
    )
    for (const oldest of [...this.#running.keys()].slice(0, -maxParallel)) await this.#end(oldest)
    return { export: id, name, path }
  }

  async #task(
    { form, events, redact, keep, bookmarks, preview }: Params<'export.start'>,
    status: LogStatus,
    source: RunOptions
  ): Promise<ExportTask> {
    const { version, now } = this.#options
    const noted = bookmarks && form !== 'raw' ? await this.#options.bookmarks(status) : []
    const page = form === 'html' ? { parts: await pageParts(this.#options.pageParts), now: now() } : null
    const prices = form === 'md' || form === 'html' ? await this.#options.prices() : null
    return { role: 'export', version, source, form, events, redact, keep, bookmarks: noted, preview, page, prices }
  }

  async #next(id: string): Promise<ExportStep> {
    const running = this.#running.get(id)
    if (running === undefined) throw new HostError('not-found', 'This export has ended. Start it again.')
    try {
      const step = await running.next()
      if (step.done) await this.#end(id)
      return step
    } catch (error) {
      await this.#end(id)
      throw error
    }
  }

  async #end(id: string): Promise<void> {
    const running = this.#running.get(id)
    this.#running.delete(id)
    await running?.end()
  }
}

class RunningExport {
  readonly #worker: Worker
  /** Null: the page receives the bytes. */
  readonly #target: OutputFile | null
  readonly #onIdle: () => void
  #timer: NodeJS.Timeout | undefined
  #answer: { resolve(step: ExportStep): void; reject(error: HostError): void } | null = null
  #ended = false

  /** `forgotten` is called after the timeout. */
  constructor(worker: Worker, target: OutputFile | null, onIdle: () => void) {
    this.#worker = worker
    this.#target = target
    this.#onIdle = onIdle
    const onLost = (): void => this.#fail(new HostError('internal', 'The export stopped. Start it again.'))
    worker.on('message', (answer: ExportAnswer) => {
      if (answer.kind === 'error') this.#fail(new HostError(answer.code, answer.message))
      else this.#answer?.resolve(answer.step)
    })
    worker.on('error', onLost)
    worker.on('exit', onLost)
    this.#wait()
  }

  async next(): Promise<ExportStep> {
    this.#wait()
    const step = await new Promise<ExportStep>((resolve, reject) => {
      this.#answer = { resolve, reject }
      if (this.#ended) this.#fail(new HostError('not-found', 'This export has ended. Start it again.'))
      else this.#worker.postMessage('next')
    })
    if (this.#target === null) return step
    this.#target.output.bytes(new Uint8Array(step.bytes))
    await this.#target.output.flush()
    if (step.done) {
      this.#ended = true
      await this.#target.finish()
    }
    return { ...step, bytes: new ArrayBuffer(0) }
  }

  /** Removes an incomplete file. */
  async end(): Promise<void> {
    clearTimeout(this.#timer)
    const isWhole = this.#ended
    this.#ended = true
    await this.#worker.terminate()
    if (!isWhole) await this.#target?.discard()
  }

  #wait(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onIdle, maxIdleMs).unref()
  }

  #fail(error: HostError): void {
    this.#answer?.reject(error)
    this.#answer = null
  }
}
