import type { Worker } from 'node:worker_threads'
import type { TextsToCut } from '#core/formats/log-format.ts'
import type { CutBatch, LineBatch } from './cut-batch.ts'
import type { CreateWorker } from './log-worker.ts'
import type { CutAnswer, CutTask } from './serve-cutting.ts'

/** One is cut while others wait, so that the thread has work however long the log's own thread is busy. */
const batchesAtOnce = 4

/** It makes little garbage and keeps nothing. */
const resourceLimits = { maxYoungGenerationSizeMb: 3 }

/** Who is told what became of a batch. */
export interface BatchListener {
  /** `made` null: the thread died. */
  cut(batch: LineBatch, made: CutBatch | null): void
  /** The thread is ready for its first batch. */
  ready(): void
}

/** A thread that cuts lines for the one that owns a log. It holds nothing that would be lost with it. */
export class CuttingThread {
  private readonly listener: BatchListener
  private readonly start: NodeJS.Timeout
  private worker: Worker | null = null
  private readonly batches: LineBatch[] = []
  private isReady = false

  /** `afterMs`: when it is started, in ms; it takes a processor from whoever shows what comes first. */
  constructor(createWorker: CreateWorker, texts: TextsToCut, afterMs: number, listener: BatchListener) {
    this.listener = listener
    const { names, wholeAt } = texts
    const task: CutTask = { role: 'cut', texts: { names, wholeAt } }
    this.start = setTimeout(() => {
      this.worker = createWorker({ workerData: task, name: 'cut', resourceLimits })
      this.worker.on('message', (answer: CutAnswer) => this.receive(answer))
      // An error is followed by the exit.
      this.worker.on('error', () => {})
      this.worker.on('exit', () => this.exited())
    }, afterMs)
  }

  /** Hands a batch on. Its bytes must lie in shared memory and stay as they are. False where there is no room for it. */
  take(batch: LineBatch): boolean {
    if (!this.isReady || this.batches.length >= batchesAtOnce) return false
    this.batches.push(batch)
    this.worker?.postMessage(batch)
    return true
  }

  async close(): Promise<void> {
    clearTimeout(this.start)
    this.isReady = false
    this.batches.length = 0
    await this.worker?.terminate()
  }

  private receive(answer: CutAnswer): void {
    if (answer === null) {
      this.isReady = true
      this.listener.ready()
      return
    }
    const batch = this.batches.shift()
    if (batch !== undefined) this.listener.cut(batch, answer)
  }

  private exited(): void {
    this.isReady = false
    for (const batch of this.batches.splice(0)) this.listener.cut(batch, null)
  }
}
