import type { FindAnswer } from '#queries/find/find-jobs.ts'
import type { Query } from '#queries/find/search.ts'
import { type Excerpt, excerptAround, excerptOf } from './excerpt.ts'
import { LineBytes } from './line-bytes.ts'
import { lineMatcher } from './line-match.ts'
import { openLogBytes } from './log-bytes.ts'
import type { ExcerptJob, ExcerptOfLine, ExcerptPart, WantedLine } from './scan-jobs.ts'

/** Only the beginning of a longer line is read; a match behind it is not shown. */
const maxLineBytes = 1 << 24

/** Reads excerpts of lines, in a search thread. */
export class ExcerptReader {
  readonly #post: (answer: FindAnswer<ExcerptPart>) => void

  constructor(post: (answer: FindAnswer<ExcerptPart>) => void) {
    this.#post = post
  }

  async serve({ query, path, lines, known }: ExcerptJob): Promise<void> {
    this.#post({ kind: 'at', offset: 0, file: path })
    const excerpts = await this.#excerpts(query, path, lines, known).catch((error: unknown) => {
      if (error instanceof RangeError) throw error
      return lines.map(() => null)
    })
    this.#post({ kind: 'found', part: { to: lines.length, excerpts }, isLast: true })
  }

  async #excerpts(
    query: Query,
    path: string,
    wanted: readonly WantedLine[],
    known: ExcerptJob['known']
  ): Promise<(ExcerptOfLine | null)[]> {
    const bytes = await openLogBytes(path)
    try {
      const lines = new LineBytes(bytes, bytes.size)
      const find = lineMatcher(query)
      let { offset: counted, line } = known
      return wanted.map(({ offset, record }) => {
        this.#post({ kind: 'at', offset, file: path })
        if (offset >= bytes.size) return null
        if (record === null) {
          line += lines.lineFeeds(counted, offset)
          counted = offset
        }
        const end = record === null ? lines.endOf(offset) : offset + record.length
        const text = lines.line(offset, end, maxLineBytes)
        const match = find(text)
        const excerpt: Excerpt = match === null ? excerptOf(text) : excerptAround(text, ...match)
        return { ...excerpt, line: record?.line ?? line }
      })
    } finally {
      bytes.close()
    }
  }
}
