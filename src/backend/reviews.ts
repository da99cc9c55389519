import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { HostError, messageOf } from '#contract/host-error.ts'
import { Bookmark, Breakpoint, maxBookmarks, maxBreakpoints, type Review } from '#core/replay/review.ts'
import type { ReviewStore } from '#queries/log-reviews.ts'
import { listOf, StateFile, valueOf } from './state-file.ts'
import { whyNotWritten } from './write-failure.ts'

/** Bookmarks and breakpoints by the real path of a log: one file per log in the state folder. */
export class Reviews implements ReviewStore {
  readonly #folder: string
  readonly #problem: ((message: string) => void) | undefined

  constructor(stateFolder: string, problem?: (message: string) => void) {
    this.#folder = join(stateFolder, 'reviews')
    this.#problem = problem
  }

  /** Empty if there is none. Rejects with `unavailable` if it cannot be read: treated as empty, it would be overwritten. */
  async get(path: string): Promise<Review> {
    const file = this.#fileOf(path)
    try {
      const { bookmarks, breakpoints } = await file.read()
      return { bookmarks, breakpoints }
    } catch (error) {
      throw new HostError(
        'unavailable',
        `Bookmarks and breakpoints are not available: ${file.path} cannot be read: ${whyNotWritten(error)}.`
      )
    }
  }

  async has(path: string): Promise<boolean> {
    return await stat(this.#fileOf(path).path).then(
      () => true,
      () => false
    )
  }

  async change(path: string, change: (stored: Review) => Review): Promise<Review> {
    try {
      const { bookmarks, breakpoints } = await this.#fileOf(path).change((stored) => {
        const changed = change(stored)
        if (changed.bookmarks.length > maxBookmarks || changed.breakpoints.length > maxBreakpoints)
          throw new HostError(
            'unavailable',
            `Another Playhead has added some. A log has at most ${maxBookmarks} bookmarks and ${maxBreakpoints} breakpoints. Remove some.`
          )
        return changed.bookmarks.length + changed.breakpoints.length === 0 ? null : { path, ...changed }
      })
      return { bookmarks, breakpoints }
    } catch (error) {
      throw new HostError(
        'unavailable',
        `Bookmarks and breakpoints cannot be saved: ${messageOf(error)} They are lost when Playhead is closed.`
      )
    }
  }

  #fileOf(path: string): StateFile<Review & { path: string }> {
    return new StateFile(join(this.#folder, `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.json`), {
      members: {
        // It differs only if two paths have the same hash.
        path: valueOf(z.literal(path), path),
        // Members of newer versions stay.
        bookmarks: listOf(Bookmark.loose()),
        breakpoints: listOf(Breakpoint.loose())
      },
      instead: `${path} has no bookmarks and no breakpoints`,
      problem: this.#problem
    })
  }
}
