import type { Worker } from 'node:worker_threads'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { FeedFacts, FeedOrder, FeedOutcome, FeedReport, FeedStart, FeedTask } from './feed-messages.ts'

/** Callbacks for a run's output. */
export interface FeedListener {
  /** At most a few times a second. */
  facts(facts: FeedFacts): void
  /** The session's tasks were stored. */
  tasks(session: string): void
  /** A tool result was stored. */
  result(session: string, tool: string): void
  /** The size of `stream.sse`. */
  streamed(bytes: number): void
  /** Reports an error once, a sentence for the operator of the host; the feed continues. */
  problem?(message: string): void
  /** The thread only shrinks the stream now; `gone` resolves when it has ended. */
  leaving?(gone: Promise<void>): void
}

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
  uncopied: null,
  events: 0,
  streamBytes: 0
}

/** A crashed thread is restarted this often, and continues where it was. */
const maxStarts = 3

/** The host's side of a feed thread, which follows a live run. */
export class RunFeed {
  readonly #createWorker: CreateWorker
  #task: FeedTask
  readonly #listener: FeedListener
  #worker: Worker | null = null
  #starts = 0
  #facts = nothingRead
  #outcome: FeedOutcome | null = null
  #closing = false
  readonly #ended: Promise<FeedFacts>
  #resolveEnded: (facts: FeedFacts) => void = () => {}
  /** Resolves when the thread has ended, after shrinking the stream. */
  readonly gone: Promise<void>
  #resolveGone: () => void = () => {}

  /** Follows a run, continuing an earlier feed. Its files may not exist yet. */
  constructor(createWorker: CreateWorker, start: FeedStart, listener: FeedListener) {
    this.#createWorker = createWorker
    this.#task = { role: 'run-feed', start }
    this.#listener = listener
    this.#ended = new Promise((resolve) => (this.#resolveEnded = resolve))
    this.gone = new Promise((resolve) => (this.#resolveGone = resolve))
    this.#begin()
  }

  get facts(): FeedFacts {
    return this.#facts
  }

  /** The agent has ended: its calls run no more. `end` follows. */
  agentEnded(): void {
    this.#task = { ...this.#task, start: { ...this.#task.start, isOver: true } }
    this.#order({ kind: 'agent-ended' })
  }

  /** Reads the rest of an ended run and writes `done`. After repeated crashes it resolves with the last known facts. */
  async end(outcome: FeedOutcome): Promise<FeedFacts> {
    this.#outcome ??= outcome
    this.#order({ kind: 'end', outcome: this.#outcome })
    return await this.#ended
  }

  /** Stops without an end in the stream, so that another feed can continue. */
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
      this.#resolveEnded(report.facts)
      // All its files are closed.
      if (this.#task.start.shrinks) this.#listener.leaving?.(this.gone)
      else void worker.terminate()
    })
    // The exit event follows.
    worker.on('error', () => {})
    worker.on('exit', () => {
      this.#worker = null
      if (!done && !this.#closing && this.#starts < maxStarts) return this.#beginAgain()
      this.#resolveGone()
      if (done || this.#closing) return this.#resolveEnded(this.#facts)
      this.#listener.problem?.(
        `The stream of run ${this.#task.start.run} failed inside Playhead. The recording continues.`
      )
      // The unread rest may contain the end of the last turn.
      this.#resolveEnded({ ...this.#facts, isTurnOpen: false })
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
        this.#listener.facts(report.facts)
        return
      case 'tasks':
        this.#listener.tasks(report.session)
        return
      case 'result':
        this.#listener.result(report.session, report.tool)
        return
      case 'streamed':
        this.#listener.streamed(report.bytes)
        return
      case 'problem':
        this.#listener.problem?.(report.message)
    }
  }
}
