import type { LibraryHit, SessionGroup } from '#contract/library.ts'
import { firstWhere } from '#core/first-where.ts'
import type { SessionCard } from '#core/library/session-card.ts'

/** A line of the list of sessions. */
export type LibraryLine =
  | { readonly kind: 'group'; readonly group: SessionGroup; readonly open: boolean }
  /** The `index`-th session of the query. */
  | { readonly kind: 'card'; readonly index: number }
  /** A session that is not read yet. */
  | { readonly kind: 'bar' }
  | { readonly kind: 'heading'; readonly of: 'names' | 'texts' }
  /** A session of the search results, above its matches. */
  | { readonly kind: 'found'; readonly card: SessionCard; readonly hits: number }
  | { readonly kind: 'hit'; readonly card: SessionCard; readonly hit: LibraryHit; readonly at: number }
  /** A line for more matches of a session, or for more named sessions if `card` is null. */
  | { readonly kind: 'more'; readonly card: SessionCard | null; readonly count: number }

/** Heights in px: `--card` and `--row` of the style sheet. */
export const lineHeights: Readonly<Record<LibraryLine['kind'], number>> = {
  group: 24,
  card: 52,
  bar: 52,
  heading: 24,
  found: 44,
  hit: 22,
  more: 22
}

/** All lines of the list, and their positions. */
export interface LibraryLines {
  readonly count: number
  /** Total height in px. */
  readonly height: number
  topOf(line: number): number
  /** The line at `y` px; below the end the last one. */
  lineAt(y: number): number
  get(line: number): LibraryLine | undefined
  /** The line of the `index`-th session; -1 if its group is collapsed or there is none. */
  lineOfCard(index: number): number
  /** The line of the heading above `line`; -1 for none. */
  headOf(line: number): number
}

/** Sessions in groups. `bars`: number of placeholders at the end. Stores nothing per session. */
export class GroupedLines implements LibraryLines {
  readonly count: number
  readonly height: number
  readonly #groups: readonly SessionGroup[]
  readonly #closed: ReadonlySet<string>
  readonly #head: number
  /** First line and position of each group, and of the placeholders after the last group. */
  readonly #first: number[] = []
  readonly #top: number[] = []

  constructor(groups: readonly SessionGroup[], closed: ReadonlySet<string>, options: { heads: boolean; bars: number }) {
    this.#groups = groups
    this.#closed = closed
    this.#head = options.heads ? 1 : 0
    let line = 0
    let top = 0
    for (const group of groups) {
      this.#first.push(line)
      this.#top.push(top)
      const cards = this.#isClosed(group) ? 0 : group.count
      line += this.#head + cards
      top += this.#head * lineHeights.group + cards * lineHeights.card
    }
    this.#first.push(line)
    this.#top.push(top)
    this.count = line + options.bars
    this.height = top + options.bars * lineHeights.bar
  }

  topOf(line: number): number {
    const group = lastAtMost(this.#first, line)
    const within = line - (this.#first[group] ?? 0)
    const head = group < this.#groups.length ? this.#head : 0
    const top = this.#top[group] ?? 0
    return within < head ? top : top + head * lineHeights.group + (within - head) * lineHeights.card
  }

  lineAt(y: number): number {
    const group = lastAtMost(this.#top, y)
    const head = group < this.#groups.length ? this.#head : 0
    const within = y - (this.#top[group] ?? 0) - head * lineHeights.group
    const line = (this.#first[group] ?? 0) + (within < 0 ? 0 : head + Math.floor(within / lineHeights.card))
    return Math.max(0, Math.min(this.count - 1, line))
  }

  get(line: number): LibraryLine | undefined {
    if (line < 0 || line >= this.count) return undefined
    const at = lastAtMost(this.#first, line)
    const group = this.#groups[at]
    if (group === undefined) return { kind: 'bar' }
    const within = line - (this.#first[at] ?? 0)
    if (within < this.#head) return { kind: 'group', group, open: !this.#isClosed(group) }
    return { kind: 'card', index: group.from + within - this.#head }
  }

  lineOfCard(index: number): number {
    const at = firstWhere(this.#groups.length, (each) => (this.#groups[each]?.from ?? 0) > index) - 1
    const group = this.#groups[at]
    if (group === undefined || index >= group.from + group.count || this.#isClosed(group)) return -1
    return (this.#first[at] ?? 0) + this.#head + index - group.from
  }

  headOf(line: number): number {
    const group = lastAtMost(this.#first, line)
    return this.#head === 0 || group >= this.#groups.length ? -1 : (this.#first[group] ?? -1)
  }

  #isClosed({ key }: SessionGroup): boolean {
    return this.#head > 0 && this.#closed.has(key)
  }
}

/** Search results, which are all loaded. */
export class ListedLines implements LibraryLines {
  readonly count: number
  readonly height: number
  readonly #lines: readonly LibraryLine[]
  readonly #tops: number[] = []

  constructor(lines: readonly LibraryLine[]) {
    this.#lines = lines
    this.count = lines.length
    let top = 0
    for (const line of lines) {
      this.#tops.push(top)
      top += lineHeights[line.kind]
    }
    this.height = top
  }

  topOf(line: number): number {
    return this.#tops[line] ?? this.height
  }

  lineAt(y: number): number {
    return Math.max(0, lastAtMost(this.#tops, y))
  }

  get(line: number): LibraryLine | undefined {
    return this.#lines[line]
  }

  lineOfCard(): number {
    return -1
  }

  headOf(line: number): number {
    for (let at = Math.min(line, this.count - 1); at >= 0; at--) if (this.#lines[at]?.kind === 'heading') return at
    return -1
  }
}

/** A key that identifies a line when other lines change; null for a line that cannot be selected. */
export function keyOfLine(line: LibraryLine | undefined, idOf: (index: number) => string | undefined): string | null {
  switch (line?.kind) {
    case 'card': {
      const id = idOf(line.index)
      return id === undefined ? null : `card:${id}`
    }
    case 'found':
      return `card:${line.card.id}`
    case 'hit':
      return `hit:${line.card.id}:${line.at}`
    case 'more':
      return line.card === null ? 'more' : `more:${line.card.id}`
    case 'group':
      return line.open ? null : `group:${line.group.key}`
    default:
      return null
  }
}

/** The last of the ascending `numbers` that is at most `most`; 0 for none. */
function lastAtMost(numbers: readonly number[], most: number): number {
  return Math.max(0, firstWhere(numbers.length, (at) => (numbers[at] ?? 0) > most) - 1)
}
