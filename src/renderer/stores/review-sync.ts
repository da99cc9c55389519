import { HostError, messageOf } from '#contract/host-error.ts'
import type { Host, Notice } from '#contract/methods.ts'
import type { Review } from '#core/replay/review.ts'
import type { UnsentReview } from './unsent-review.ts'

export interface ReviewSink {
  onReview(review: Review): void
  onReadError(message: string): void
  onWriteError(message: string): void
  onWritten(): void
}

/** Reads and writes the review of a log. Own changes apply at once, those of others if they are newer. */
export class ReviewSync {
  readonly #host: Host
  readonly #log: string
  readonly #sink: ReviewSink
  readonly #unsent: UnsentReview
  readonly #stopListening: () => void
  /** The revision of the newest known review. */
  #revision = -1
  /** Changes without an answer. */
  #sending = 0
  #notice: Notice<'review.changed'> | null = null
  #disposed = false

  constructor(host: Host, log: string, unsent: UnsentReview, sink: ReviewSink) {
    this.#host = host
    this.#log = log
    this.#sink = sink
    this.#unsent = unsent
    this.#stopListening = host.on('review.changed', (review) => {
      if (review.log === log) this.#onNotice(review)
    })
  }

  async load(): Promise<void> {
    try {
      const { revision, ...review } = await this.#host.call('review.get', { log: this.#log })
      // A restarted host counts from 0.
      this.#revision = revision
      if (this.#disposed || this.#sending > 0) return
      // What was changed last, before a reload or a lost connection.
      const change = this.#unsent.change ?? {}
      this.#sink.onReview({ ...review, ...change })
      if (Object.keys(change).length > 0) await this.send(change)
    } catch (error) {
      if (!this.#disposed) this.#sink.onReadError(messageOf(error))
    }
  }

  async send(change: Partial<Review>): Promise<void> {
    this.#sending++
    this.#unsent.add(change)
    let isLost = false
    try {
      const { revision } = await this.#host.call('review.set', { log: this.#log, ...change })
      this.#revision = Math.max(this.#revision, revision)
      if (!this.#disposed) this.#sink.onWritten()
    } catch (error) {
      isLost = error instanceof HostError && error.code === 'closed'
      if (!this.#disposed) this.#sink.onWriteError(messageOf(error))
    }
    this.#sending--
    if (this.#sending === 0 && !isLost) this.#unsent.clear()
    if (this.#notice !== null) this.#onNotice(this.#notice)
  }

  dispose(): void {
    this.#disposed = true
    this.#stopListening()
  }

  #onNotice(notice: Notice<'review.changed'>): void {
    // Only the answer shows which one is newer.
    this.#notice = this.#sending > 0 ? notice : null
    if (this.#sending > 0 || this.#disposed || notice.revision <= this.#revision) return
    this.#revision = notice.revision
    this.#sink.onReview({ bookmarks: notice.bookmarks, breakpoints: notice.breakpoints })
  }
}
