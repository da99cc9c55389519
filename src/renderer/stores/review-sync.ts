import type { Host, Notice } from '#contract/methods.ts'
import type { Review } from '#core/replay/review.ts'

/** Who is told what the host keeps. */
export interface ReviewSink {
  /** As the host has it now. */
  took(review: Review): void
  /** Why it could not be read, or not be kept. */
  failed(message: string, what: 'read' | 'kept'): void
  /** What was changed is kept. */
  kept(): void
}

/**
 * Reads and writes what a person noted of a log. What this page changes counts here at once; what others change comes as notices, of which
 * those that are older than the own changes are dropped.
 */
export class ReviewSync {
  readonly #host: Host
  readonly #log: string
  readonly #sink: ReviewSink
  readonly #stopListening: () => void
  /** Of the newest that is known here. */
  #revision = -1
  /** Changes that the host has not answered yet. */
  #sending = 0
  #heard: Notice<'review.changed'> | null = null
  #disposed = false

  constructor(host: Host, log: string, sink: ReviewSink) {
    this.#host = host
    this.#log = log
    this.#sink = sink
    this.#stopListening = host.on('review.changed', (review) => {
      if (review.log === log) this.#hear(review)
    })
  }

  async load(): Promise<void> {
    try {
      const { revision, ...review } = await this.#host.call('review.get', { log: this.#log })
      // A host that was started anew counts from the beginning.
      this.#revision = revision
      if (!this.#disposed && this.#sending === 0) this.#sink.took(review)
    } catch (error) {
      if (!this.#disposed) this.#sink.failed(messageOf(error), 'read')
    }
  }

  async send(change: Partial<Review>): Promise<void> {
    this.#sending++
    try {
      const { revision } = await this.#host.call('review.set', { log: this.#log, ...change })
      this.#revision = Math.max(this.#revision, revision)
      if (!this.#disposed) this.#sink.kept()
    } catch (error) {
      if (!this.#disposed) this.#sink.failed(messageOf(error), 'kept')
    }
    this.#sending--
    if (this.#heard !== null) this.#hear(this.#heard)
  }

  dispose(): void {
    this.#disposed = true
    this.#stopListening()
  }

  #hear(heard: Notice<'review.changed'>): void {
    // Whether it is older than what is on its way is known when that is answered.
    this.#heard = this.#sending > 0 ? heard : null
    if (this.#sending > 0 || this.#disposed || heard.revision <= this.#revision) return
    this.#revision = heard.revision
    this.#sink.took({ bookmarks: heard.bookmarks, breakpoints: heard.breakpoints })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
