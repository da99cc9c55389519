import { HostError } from '#contract/host-error.ts'
import type { Handlers, Host, Params, Result } from '#contract/methods.ts'
import { parsedJson } from '#core/parsed-json.ts'
import { type Bookmark, Review } from '#core/replay/review.ts'

/** The review of a shared page's log, stored by the page under `key` before the call returns, so leaving loses nothing. */
export class PageReviews {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly #key: string
  #review: Review
  #revision = 0

  /** `given`: the page's own bookmarks, used if nothing is stored. */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, key: string, given: readonly Bookmark[] = []) {
    this.#storage = storage
    this.#key = key
    this.#review = parsedJson(Review, storage.getItem(key)) ?? { bookmarks: [...given], breakpoints: [] }
  }

  get(): Result<'review.get'> {
    return { ...this.#review, revision: this.#revision }
  }

  /** Throws `unavailable` if the storage is full; the change then lasts as long as the page. */
  set({ bookmarks, breakpoints }: Omit<Params<'review.set'>, 'log'>): Result<'review.set'> {
    const before = this.#review
    this.#review = { bookmarks: bookmarks ?? before.bookmarks, breakpoints: breakpoints ?? before.breakpoints }
    const revision = ++this.#revision
    try {
      this.#storage.setItem(this.#key, JSON.stringify(this.#review))
    } catch {
      throw new HostError(
        'unavailable',
        'This browser cannot store more data for this page. Bookmarks and breakpoints are lost when the page is closed.'
      )
    }
    return { revision }
  }

  /** `host` with the review methods answered here. */
  answerFor(host: Host): Host {
    const own: Partial<Handlers> = {
      'review.get': async () => this.get(),
      'review.set': async (change) => this.set(change)
    }
    return {
      on: (notice, listener) => host.on(notice, listener),
      onClose: (listener) => host.onClose(listener),
      call: (method, params) => own[method]?.(params) ?? host.call(method, params)
    }
  }
}
