import * as z from 'zod'
import { parsedJson } from '#core/parsed-json.ts'
import { Review } from '#core/replay/review.ts'

export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const { bookmarks, breakpoints } = Review.shape
const Change = z.object({ bookmarks: bookmarks.exactOptional(), breakpoints: breakpoints.exactOptional() })

/** Changes of a review that the host has not answered yet. They are in the tab's storage, as a reload may come before they are sent. */
export class UnsentReview {
  readonly #storage: TabStorage | null
  readonly #key: string

  /** `path`: of the log. `storage`: null where nothing is kept. */
  constructor(storage: TabStorage | null, path: string) {
    this.#storage = storage
    this.#key = `playhead.unsent-review ${path}`
  }

  /** Null: none. */
  get change(): Partial<Review> | null {
    return parsedJson(Change, this.#storage?.getItem(this.#key) ?? null)
  }

  add(change: Partial<Review>): void {
    try {
      this.#storage?.setItem(this.#key, JSON.stringify({ ...this.change, ...change }))
    } catch {
      // The storage is full: the change is sent all the same.
    }
  }

  clear(): void {
    this.#storage?.removeItem(this.#key)
  }
}
