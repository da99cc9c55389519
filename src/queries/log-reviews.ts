import type { LogStatus, Notice, NoticeName, Params, Result } from '#contract/methods.ts'
import type { Review } from '#core/replay/review.ts'

/** Stores reviews by the real paths of logs. */
export interface ReviewStore {
  get(path: string): Promise<Review>
  /** Rejects with a `HostError` if it cannot be stored. */
  set(path: string, review: Review): Promise<void>
}

/** The reviews of the open logs: stored, and sent to all pages when one changes them. */
export class LogReviews {
  readonly #store: ReviewStore
  readonly #notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  /** By path: reviews that could not be stored, kept until the host ends. */
  readonly #unkept = new Map<string, Review>()
  #revision = 0
  /** Serializes changes, as absent members keep their former value. */
  #setting: Promise<unknown> = Promise.resolve()

  constructor(store: ReviewStore, notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void) {
    this.#store = store
    this.#notify = notify
  }

  async get({ path }: LogStatus): Promise<Result<'review.get'>> {
    await this.#setting
    const revision = this.#revision
    return { ...(await this.#now(path)), revision }
  }

  /** `logs`: all open logs; several may be of one file. */
  async set(
    { path }: LogStatus,
    change: Omit<Params<'review.set'>, 'log'>,
    logs: () => readonly LogStatus[]
  ): Promise<Result<'review.set'>> {
    const set = this.#setting.then(async () => {
      const before = await this.#now(path)
      const { bookmarks = before.bookmarks, breakpoints = before.breakpoints } = change
      const review = { bookmarks, breakpoints }
      const revision = ++this.#revision
      for (const { log } of logs().filter((each) => each.path === path)) {
        this.#notify('review.changed', { log, revision, ...review })
      }
      this.#unkept.set(path, review)
      await this.#store.set(path, review)
      this.#unkept.delete(path)
      return { revision }
    })
    this.#setting = set.catch(() => {})
    return await set
  }

  async #now(path: string): Promise<Review> {
    return this.#unkept.get(path) ?? (await this.#store.get(path))
  }
}
