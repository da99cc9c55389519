import type { FindAnswer } from '#queries/find/find-jobs.ts'
import { EndlessMatch, type MatchGuard } from '#queries/find/match-guard.ts'
import type { Query } from '#queries/find/search.ts'
import { type Excerpt, excerptAround, excerptOf } from './excerpt.ts'
import { LineBytes } from './line-bytes.ts'
import { type FindMatches, lineMatcher, type LineToMatch } from './line-match.ts'
import { openLogBytes } from './log-bytes.ts'
import type { ExcerptJob, ExcerptOfLine, ExcerptPart, WantedLine } from './scan-jobs.ts'

/** Only the beginning of a longer line is read; a match behind it is not shown. */
const maxLineBytes = 1 << 24
/** Bytes of lines that are matched at once. */
const matchedBytes = 1 << 20

/** Reads excerpts of lines, in a search thread. */
export class ExcerptReader {
  readonly #post: (answer: FindAnswer<ExcerptPart>) => void

  readonly #guard: MatchGuard

  constructor(post: (answer: FindAnswer<ExcerptPart>) => void, guard: MatchGuard) {
    this.#post = post
    this.#guard = guard
  }

  async serve({ query, path, lines, known }: ExcerptJob): Promise<void> {
    this.#post({ kind: 'at', offset: 0, file: path })
    const excerpts = await this.#excerpts(query, path, lines, known).catch((error: unknown) => {
      if (error instanceof RangeError) throw error
      return lines.map(() => null)
    })
    this.#post({ kind: 'found', part: { to: lines.length, excerpts }, isLast: true, spentMs: this.#guard.spentMs })
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
      const find = lineMatcher(query, this.#guard)
      const found: FindMatches = (read) => (this.#guard.leftMs > 0 ? matchesIn(read, find) : [])
      const excerpts: (ExcerptOfLine | null)[] = []
      let { offset: counted, line } = known
      let waiting: ReadLine[] = []
      let size = 0
      for (const [i, { offset, record }] of wanted.entries()) {
        if (offset >= bytes.size) {
          excerpts[i] = null
          continue
        }
        if (record === null) {
          line += lines.lineFeeds(counted, offset)
          counted = offset
        }
        const end = record === null ? lines.endOf(offset) : offset + record.length
        const text = lines.line(offset, end, maxLineBytes)
        waiting.push({ i, offset, line: record?.line ?? line, bytes: text })
        size += text.length
        if (size < matchedBytes) continue
        addExcerpts(excerpts, waiting, found)
        waiting = []
        size = 0
      }
      addExcerpts(excerpts, waiting, found)
      return excerpts
    } finally {
      bytes.close()
    }
  }
}

/** `i`: its place in the answer. */
interface ReadLine extends LineToMatch {
  readonly i: number
  readonly line: number
}

function addExcerpts(excerpts: (ExcerptOfLine | null)[], lines: readonly ReadLine[], find: FindMatches): void {
  const matches = find(lines)
  for (const [at, { i, line, bytes }] of lines.entries()) {
    const match = matches[at] ?? null
    const excerpt: Excerpt = match === null ? excerptOf(bytes) : excerptAround(bytes, ...match)
    excerpts[i] = { ...excerpt, line }
  }
}

/** Lines are shown without their matches where these have no end. */
function matchesIn(lines: readonly LineToMatch[], find: FindMatches): ReturnType<FindMatches> {
  try {
    return find(lines)
  } catch (error) {
    if (error instanceof EndlessMatch) return []
    throw error
  }
}
