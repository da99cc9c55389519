import type { LogStatus, Notice, NoticeName, Params, Result } from '#contract/methods.ts'
import { isSameReview, mergedReview, type Review } from '#core/replay/review.ts'

/** Stores reviews by the real paths of logs. */
export interface ReviewStore {
  get(path: string): Promise<Review>
  /** Changes what is stored, also by another Playhead. Resolves with it; rejects with a `HostError` if it cannot be stored. */
  change(path: string, change: (stored: Review) => Review): Promise<Review>
}

/** The reviews of the open logs: stored, and sent to all pages when one changes them. */
export class LogReviews {
  readonly #store: ReviewStore
  readonly #notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  /** All open logs; several may be of one file. */
  readonly #logs: () => readonly LogStatus[]
  /** By path: what was stored when the pages were told last. */
  readonly #stored = new Map<string, Review>()
  /** By path: reviews that could not be stored, kept until the host ends. */
  readonly #unkept = new Map<string, Review>()
  #revision = 0
  /** Serializes changes, as absent members keep their former value. */
  #setting: Promise<unknown> = Promise.resolve()

  constructor(
    store: ReviewStore,
    notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void,
    logs: () => readonly LogStatus[]
  ) {
    this.#store = store
    this.#notify = notify
    this.#logs = logs
  }

  async get({ path }: LogStatus): Promise<Result<'review.get'>> {
    return await this.#inTurn(async () => {
      const known = this.#stored.get(path)
      const review = this.#unkept.get(path) ?? (await this.#read(path))
      // Another Playhead has changed it.
      if (known !== undefined && !isSameReview(known, this.#stored.get(path) ?? known)) this.#tell(path, review)
      return { ...review, revision: this.#revision }
    })
  }

  async set({ path }: LogStatus, change: Omit<Params<'review.set'>, 'log'>): Promise<Result<'review.set'>> {
    return await this.#inTurn(async () => {
      const base = this.#stored.get(path) ?? (await this.#read(path))
      const before = this.#unkept.get(path) ?? base
      const { bookmarks = before.bookmarks, breakpoints = before.breakpoints } = change
      const review = { bookmarks, breakpoints }
      const revision = this.#tell(path, review)
      this.#unkept.set(path, review)
      const stored = await this.#store.change(path, (theirs) => mergedReview(base, review, theirs))
      this.#unkept.delete(path)
      this.#stored.set(path, stored)
      if (!isSameReview(stored, review)) this.#tell(path, stored)
      return { revision }
    })
  }

  async #read(path: string): Promise<Review> {
    const review = await this.#store.get(path)
    this.#stored.set(path, review)
    return review
  }

  /** Tells the pages; returns the revision. */
  #tell(path: string, review: Review): number {
    const revision = ++this.#revision
    for (const { log } of this.#logs().filter((each) => each.path === path))
      this.#notify('review.changed', { log, revision, ...review })
    return revision
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#setting.then(work)
    this.#setting = done.catch(() => {})
    return await done
  }
}
