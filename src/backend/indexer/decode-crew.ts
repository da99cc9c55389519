import type { Worker } from 'node:worker_threads'
import type { PackedValues } from '#core/packed-values.ts'
import type { LineBatch } from './decode-batch.ts'
import type { DecodeAnswer, DecodeTask } from './decode-helper.ts'
import type { CreateWorker } from './log-worker.ts'

/** One is decoded while others wait, so that a thread has work however long the log's own thread is busy folding. */
const batchesOfHelper = 4

/** Decoding makes much garbage and keeps nothing: more room costs memory and saves no time. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

/** Who is told what became of a batch. */
export interface BatchListener {
  /** `outlines` null: the thread that had it died. */
  decoded(batch: LineBatch, outlines: PackedValues | null): void
  /** A thread is ready for its first batch. */
  ready(): void
}

export interface CrewOptions {
  /** How many threads. */
  readonly count: number
  readonly task: DecodeTask
  /** When they are started, in ms: they take processors from whoever shows what comes first. */
  readonly afterMs: number
}

/** Threads that decode for the one that owns a log. They hold nothing that would be lost with them. */
export class DecodeCrew {
  private helpers: readonly Helper[] = []
  private readonly start: NodeJS.Timeout

  constructor(createWorker: CreateWorker, { count, task, afterMs }: CrewOptions, listener: BatchListener) {
    this.start = setTimeout(() => {
      this.helpers = Array.from({ length: count }, () => {
        const worker = createWorker({ workerData: task, name: 'decode', resourceLimits })
        return new Helper(worker, listener)
      })
    }, afterMs)
  }

  /** Hands a batch on. Its bytes must lie in shared memory and stay as they are. False where no thread has room for it. */
  take(batch: LineBatch): boolean {
    const free = this.helpers.filter(({ room }) => room > 0)
    const [helper] = free.sort((a, b) => b.room - a.room)
    helper?.take(batch)
    return helper !== undefined
  }

  async close(): Promise<void> {
    clearTimeout(this.start)
    await Promise.all(this.helpers.map((helper) => helper.close()))
  }
}

class Helper {
  private readonly worker: Worker
  private readonly listener: BatchListener
  private readonly batches: LineBatch[] = []
  private isReady = false

  constructor(worker: Worker, listener: BatchListener) {
    this.worker = worker
    this.listener = listener
    worker.on('message', (answer: DecodeAnswer) => this.receive(answer))
    // An error is followed by the exit.
    worker.on('error', () => {})
    worker.on('exit', () => this.exited())
  }

  /** For how many batches. */
  get room(): number {
    return this.isReady ? batchesOfHelper - this.batches.length : 0
  }

  take(batch: LineBatch): void {
    this.batches.push(batch)
    this.worker.postMessage(batch)
  }

  async close(): Promise<void> {
    this.isReady = false
    this.batches.length = 0
    await this.worker.terminate()
  }

  private receive(answer: DecodeAnswer): void {
    if (answer === null) {
      this.isReady = true
      this.listener.ready()
      return
    }
    const batch = this.batches.shift()
    if (batch !== undefined) this.listener.decoded(batch, answer)
  }

  private exited(): void {
    this.isReady = false
    for (const batch of this.batches.splice(0)) this.listener.decoded(batch, null)
  }
}
