import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { HostError } from '#contract/host-error.ts'
import { parsedJson } from '#core/parsed-json.ts'
import { Review } from '#core/replay/review.ts'
import { writeWhole } from './whole-file.ts'
import { systemCode, stateWriteFailure, whyNotWritten } from './write-failure.ts'

/** The oldest reviews beyond this number are deleted. */
const maxReviews = 500
const maxFileBytes = 4 << 20

const ReviewFile = Review.extend({ version: z.literal(1), path: z.string() })

const noReview: Review = { bookmarks: [], breakpoints: [] }

/** Bookmarks and breakpoints by the real path of a log: one file per log in the state folder. The last write counts. */
export class Reviews {
  readonly #folder: string
  #writing: Promise<unknown> = Promise.resolve()

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'reviews')
  }

  /** Empty if there is none. An invalid file is renamed, not deleted, because it may contain notes. */
  async get(path: string): Promise<Review> {
    await this.#writing
    const file = this.#fileOf(path)
    let text: string
    try {
      if ((await stat(file)).size > maxFileBytes) return await this.#putAside(file)
      text = await readFile(file, 'utf8')
    } catch (error) {
      if (isMissing(error)) return noReview
      // Treating it as empty would overwrite it.
      throw new HostError(
        'unavailable',
        `Bookmarks and breakpoints are not available: ${file} cannot be read: ${whyNotWritten(error)}.`
      )
    }
    const kept = parsedJson(ReviewFile, text)
    // The path differs only if two paths have the same hash.
    if (kept === null || kept.path !== path) return await this.#putAside(file)
    return { bookmarks: kept.bookmarks, breakpoints: kept.breakpoints }
  }

  async has(path: string): Promise<boolean> {
    return await stat(this.#fileOf(path)).then(
      () => true,
      () => false
    )
  }

  /** Throws `unavailable` if it cannot be written. */
  async set(path: string, review: Review): Promise<void> {
    const write = this.#writing.then(() => this.#write(path, review))
    this.#writing = write.catch(() => {})
    try {
      await write
    } catch (error) {
      const { message } = stateWriteFailure(dirname(this.#folder), this.#fileOf(path), error)
      throw new HostError(
        'unavailable',
        `Bookmarks and breakpoints cannot be saved: ${message} They are lost when Playhead is closed.`
      )
    }
  }

  async #write(path: string, review: Review): Promise<void> {
    const file = this.#fileOf(path)
    if (review.bookmarks.length + review.breakpoints.length === 0) return await rm(file, { force: true })
    await writeWhole(file, JSON.stringify({ version: 1, path, ...review }, null, 2), { makesFolder: true })
    await this.#dropOldest()
  }

  async #dropOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.json'))
    if (names.length <= maxReviews) return
    const files = await Promise.all(
      names.map(async (name) => {
        const file = join(this.#folder, name)
        return {
          file,
          at: await stat(file).then(
            ({ mtimeMs }) => mtimeMs,
            () => Infinity
          )
        }
      })
    )
    files.sort((a, b) => a.at - b.at)
    for (const { file } of files.slice(0, names.length - maxReviews)) await rm(file, { force: true })
  }

  async #putAside(file: string): Promise<Review> {
    await rename(file, `${file}.damaged`).catch(() => {})
    return noReview
  }

  #fileOf(path: string): string {
    return join(this.#folder, `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.json`)
  }
}

function isMissing(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}
