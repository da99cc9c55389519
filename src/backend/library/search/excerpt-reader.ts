import type { FindAnswer } from '#queries/find/find-jobs.ts'
import type { Query } from '#queries/find/search.ts'
import { type Excerpt, excerptAround, excerptOf } from './excerpt.ts'
import { LineBytes } from './line-bytes.ts'
import { lineMatcher } from './line-match.ts'
import { openLogBytes } from './log-bytes.ts'
import type { ExcerptJob, ExcerptOfLine, ExcerptPart, WantedLine } from './scan-jobs.ts'

/** Of a longer line only the beginning is looked at: what is farther in is shown as nothing. */
const mostLineBytes = 1 << 24

/** The inside of a thread that reads what stands on lines in which something was found. */
export class ExcerptReader {
  readonly #say: (answer: FindAnswer<ExcerptPart>) => void

  constructor(say: (answer: FindAnswer<ExcerptPart>) => void) {
    this.#say = say
  }

  async serve({ query, path, lines, known }: ExcerptJob): Promise<void> {
    this.#say({ kind: 'at', offset: 0, file: path })
    const excerpts = await this.#excerpts(query, path, lines, known).catch((error: unknown) => {
      if (error instanceof RangeError) throw error
      return lines.map(() => null)
    })
    this.#say({ kind: 'found', part: { to: lines.length, excerpts }, isLast: true })
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
        this.#say({ kind: 'at', offset, file: path })
        if (offset >= bytes.size) return null
        if (record === null) {
          line += lines.lineFeeds(counted, offset)
          counted = offset
        }
        const end = record === null ? lines.endOf(offset) : offset + record.length
        const text = lines.line(offset, end, mostLineBytes)
        const match = find(text)
        const excerpt: Excerpt = match === null ? excerptOf(text) : excerptAround(text, ...match)
        return { ...excerpt, line: record?.line ?? line }
      })
    } finally {
      bytes.close()
    }
  }
}
