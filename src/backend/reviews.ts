import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { HostError } from '#contract/host-error.ts'
import { Review } from '#core/replay/review.ts'
import { writeWhole } from './whole-file.ts'
import { systemCode, stateWriteFailure, whyNotWritten } from './write-failure.ts'

/** So many logs have their review kept; those written longest ago go first. */
const maxReviews = 500
const maxFileBytes = 4 << 20

const ReviewFile = Review.extend({ version: z.literal(1), path: z.string() })

const noReview: Review = { bookmarks: [], breakpoints: [] }

/**
 * Bookmarks and breakpoints of logs, by the real path of the log: a file for each in the state folder, never beside the log. What one
 * program of Playhead writes another one reads when it opens the log; of two that write at once the last one counts.
 */
export class Reviews {
  readonly #folder: string
  #writing: Promise<unknown> = Promise.resolve()

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'reviews')
  }

  /** Empty where nothing was kept. A file that cannot be understood counts as empty and is put aside, since it may hold a person's notes. */
  async get(path: string): Promise<Review> {
    await this.#writing
    const file = this.#fileOf(path)
    let text: string
    try {
      if ((await stat(file)).size > maxFileBytes) return await this.#putAside(file)
      text = await readFile(file, 'utf8')
    } catch (error) {
      if (isMissing(error)) return noReview
      // What is there must not be written over as if it were not.
      throw new HostError(
        'unavailable',
        `Bookmarks and breakpoints are not available: ${file} cannot be read: ${whyNotWritten(error)}.`
      )
    }
    const kept = parsed(text)
    // Two paths that are named alike would be one in ten to the nineteen.
    if (kept === null || kept.path !== path) return await this.#putAside(file)
    return { bookmarks: kept.bookmarks, breakpoints: kept.breakpoints }
  }

  /** Whether anything was kept. */
  async has(path: string): Promise<boolean> {
    return await stat(this.#fileOf(path)).then(
      () => true,
      () => false
    )
  }

  /** Keeps it in place of what was kept. Throws `unavailable` where it cannot be written. */
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

function parsed(text: string): z.infer<typeof ReviewFile> | null {
  try {
    return ReviewFile.parse(JSON.parse(text))
  } catch {
    return null
  }
}
