import { HostError } from '#contract/methods.ts'
import { Review } from '#core/replay/review.ts'
import type { ReviewStore } from '#queries/log-reviews.ts'

/** What a page says when it has kept a review, or could not. */
interface Kept {
  readonly kept: boolean
}

/** Keeps what a person noted of the log where the page keeps its things: threads cannot. The thread's side of `keepReviews`. */
export class PageReviews implements ReviewStore {
  readonly #port: MessagePort
  #review: Review
  /** In the order in which the page answers. */
  readonly #waiting: ((kept: boolean) => void)[] = []

  /** `review`: what was kept before. */
  constructor(review: Review, port: MessagePort) {
    this.#review = review
    this.#port = port
    port.onmessage = ({ data }: MessageEvent<Kept>) => this.#waiting.shift()?.(data.kept)
  }

  async get(): Promise<Review> {
    return this.#review
  }

  async set(_path: string, review: Review): Promise<void> {
    this.#port.postMessage(review)
    const kept = await new Promise<boolean>((resolve) => this.#waiting.push(resolve))
    if (!kept) {
      throw new HostError(
        'unavailable',
        'This browser keeps no more for this page: bookmarks and breakpoints last until it is closed.'
      )
    }
    this.#review = review
  }
}

/** The page's side: keeps what comes under `key`. */
export function keepReviews(port: MessagePort, storage: Pick<Storage, 'setItem'>, key: string): void {
  port.onmessage = ({ data }: MessageEvent<Review>) => {
    let kept = true
    try {
      storage.setItem(key, JSON.stringify(data))
    } catch {
      kept = false
    }
    port.postMessage({ kept } satisfies Kept)
  }
}

/** What was kept under `key`: nothing where that cannot be understood. */
export function keptReview(storage: Pick<Storage, 'getItem'>, key: string): Review {
  try {
    return Review.parse(JSON.parse(storage.getItem(key) ?? ''))
  } catch {
    return { bookmarks: [], breakpoints: [] }
  }
}
