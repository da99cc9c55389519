import type { Worker } from 'node:worker_threads'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { FeedFacts, FeedOrder, FeedOutcome, FeedReport, FeedStart, FeedTask } from './feed-messages.ts'

/** Who is told what a run's output says. */
export interface FeedListener {
  /** At most a few times a second. */
  facts(facts: FeedFacts): void
  /** The agent's tasks of a session were stored. */
  tasks(session: string): void
  /** The result of a tool call was stored. */
  result(session: string, tool: string): void
  /** `stream.sse` is this long. */
  streamed(bytes: number): void
  /** What does not work, a sentence for whoever watches over the host; the feed goes on. Said once each. */
  problem?(message: string): void
  /** All is done but what its thread does to keep less; `gone` resolves when it has ended. */
  leaving?(gone: Promise<void>): void
}

/** What is known before anything was read. */
const nothingRead: FeedFacts = {
  stdoutBytes: 0,
  stderrBytes: 0,
  sessionId: null,
  tokens: null,
  todo: null,
  lastTurn: null,
  isTurnOpen: true,
  denied: null,
  lastError: null,
  tornAt: null,
  events: 0,
  streamBytes: 0
}

/** A thread that dies is started anew, and goes on where it was; but not for ever. */
const maxStarts = 3

/** The host's side of the thread that follows a live run: its stream, its tasks, and what is to be known of it. */
export class RunFeed {
  readonly #createWorker: CreateWorker
  readonly #task: FeedTask
  readonly #hear: FeedListener
  #worker: Worker | null = null
  #starts = 0
  #facts = nothingRead
  #outcome: FeedOutcome | null = null
  #closing = false
  readonly #ended: Promise<FeedFacts>
  #settle: (facts: FeedFacts) => void = () => {}
  /** Resolves when its thread is gone, which may shrink the stream when all else is done. */
  readonly gone: Promise<void>
  #leave: () => void = () => {}

  /** Begins to follow the run, or goes on where a feed of it stopped. Its files need not be there yet. */
  constructor(createWorker: CreateWorker, start: FeedStart, hear: FeedListener) {
    this.#createWorker = createWorker
    this.#task = { role: 'run-feed', start }
    this.#hear = hear
    this.#ended = new Promise((resolve) => (this.#settle = resolve))
    this.gone = new Promise((resolve) => (this.#leave = resolve))
    this.#begin()
  }

  /** As last reported. */
  get facts(): FeedFacts {
    return this.#facts
  }

  /**
   * The run is over and nothing is written any more: reads to the end, writes `done`, and ends the thread. Resolves also where the thread is
   * lost for good, with what was known.
   */
  async end(outcome: FeedOutcome): Promise<FeedFacts> {
    this.#outcome ??= outcome
    this.#order({ kind: 'end', outcome: this.#outcome })
    return await this.#ended
  }

  /** Stops following, without an end in the stream: another feed can go on. */
  async close(): Promise<void> {
    this.#closing = true
    this.#order({ kind: 'close' })
    await this.#ended
  }

  #order(order: FeedOrder): void {
    this.#worker?.postMessage(order)
  }

  #begin(): void {
    this.#starts += 1
    const worker = this.#createWorker({ workerData: this.#task, name: 'run-feed' })
    this.#worker = worker
    let done = false
    worker.on('message', (report: FeedReport) => {
      this.#receive(report)
      if (report.kind !== 'done') return
      done = true
      this.#settle(report.facts)
      // It has let go of everything.
      if (this.#task.start.shrinks) this.#hear.leaving?.(this.gone)
      else void worker.terminate()
    })
    // What it was is said when it ends.
    worker.on('error', () => {})
    worker.on('exit', () => {
      this.#worker = null
      if (!done && !this.#closing && this.#starts < maxStarts) return this.#beginAgain()
      this.#leave()
      if (done || this.#closing) return this.#settle(this.#facts)
      this.#hear.problem?.(`The stream of run ${this.#task.start.run} failed inside Playhead. The recording continues.`)
      // Of what was not read nobody knows: an end of its last turn may stand there.
      this.#settle({ ...this.#facts, isTurnOpen: false })
    })
  }

  #beginAgain(): void {
    this.#begin()
    if (this.#outcome !== null) this.#order({ kind: 'end', outcome: this.#outcome })
  }

  #receive(report: FeedReport): void {
    switch (report.kind) {
      case 'facts':
      case 'done':
        this.#facts = report.facts
        this.#hear.facts(report.facts)
        return
      case 'tasks':
        this.#hear.tasks(report.session)
        return
      case 'result':
        this.#hear.result(report.session, report.tool)
        return
      case 'streamed':
        this.#hear.streamed(report.bytes)
        return
      case 'problem':
        this.#hear.problem?.(report.message)
    }
  }
}
