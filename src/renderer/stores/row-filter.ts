import type { LogStatus } from '#contract/methods.ts'
import type { IssueSeverity } from '#core/formats/issue.ts'
import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import { firstHitFrom } from './find-hits.ts'
import { type LogColumns, severityNames } from './log-columns.ts'
import type { FindState } from './log-find.ts'
import type { ShownRows } from './timeline-layout.ts'

/** What can be included or excluded by name. */
export interface NamedChoice {
  readonly kinds: ReadonlySet<RowKind>
  /** Tools of calls and their results, by name. */
  readonly tools: ReadonlySet<string>
  /** By id; null is the main agent. */
  readonly tracks: ReadonlySet<string | null>
}

/** A filter. A row must match a member of each group that is not empty. */
export interface FilterChoice extends NamedChoice {
  /** Rows that are excluded in any case. */
  readonly without: NamedChoice
  /** The worst severity of the row's issues. */
  readonly severities: ReadonlySet<IssueSeverity>
  /** Only matches of the search; no effect without a search. */
  readonly onlyHits: boolean
  /** Only failed calls and their results. */
  readonly onlyFailed: boolean
}

const nothingNamed: NamedChoice = { kinds: new Set(), tools: new Set(), tracks: new Set() }

export const noFilter: FilterChoice = {
  ...nothingNamed,
  without: nothingNamed,
  severities: new Set(),
  onlyHits: false,
  onlyFailed: false
}

export function isNoFilter({ without, severities, onlyHits, onlyFailed, ...asked }: FilterChoice): boolean {
  return namesIn(asked) + namesIn(without) + severities.size === 0 && !onlyHits && !onlyFailed
}

function namesIn({ kinds, tools, tracks }: NamedChoice): number {
  return kinds.size + tools.size + tracks.size
}

type Names = Pick<LogStatus, 'tools' | 'tracks'>
type Hits = Pick<FindState, 'text' | 'hits' | 'searching'>

/**
 * A filter as a table per column: four look-ups per row. Updates return the first row whose answer may have changed.
 */
export class RowFilter implements ShownRows {
  readonly #choice: FilterChoice
  readonly #kinds: Uint8Array
  readonly #severities: Uint8Array
  /** For all values of a column. Names that are not known yet are not included. */
  readonly #tools: Uint8Array
  readonly #tracks: Uint8Array
  #knownTools = 0
  #knownTracks = 0
  /** Null: rows need not match. */
  #hits: Uint32Array | null = null
  #searching = false
  readonly #one = new Uint8Array(1)

  constructor(choice: FilterChoice, names: Names, find: Hits) {
    this.#choice = choice
    const all = (chosen: ReadonlySet<unknown>) => (chosen.size === 0 ? 1 : 0)
    this.#kinds = new Uint8Array(256).fill(all(choice.kinds))
    rowKinds.forEach((kind, index) => (this.#kinds[index] = isIncluded(kind, choice.kinds, choice.without.kinds)))
    this.#severities = new Uint8Array(256).fill(all(choice.severities))
    severityNames.forEach((name, index) => {
      if (name !== 'none' && choice.severities.has(name)) this.#severities[index] = 1
    })
    this.#tools = new Uint8Array(65_536).fill(all(choice.tools))
    this.#tracks = new Uint8Array(65_536).fill(all(choice.tracks))
    this.onStatus(names)
    this.setHits(find, 0)
  }

  get showsEach(): boolean {
    return this.#choice.kinds.size > 0 || this.#hits !== null
  }

  /** After its last match, a running search has not found anything yet. */
  get decided(): number {
    if (this.#hits === null || !this.#searching) return Infinity
    return (this.#hits.at(-1) ?? -1) + 1
  }

  /** The failed calls from row `from` on have changed. Returns the first row whose answer may have changed. */
  failedFrom(from: number): number {
    return this.#choice.onlyFailed ? from : Infinity
  }

  /** Adds new names of the log. Returns the first row whose answer may have changed; Infinity for none. */
  onStatus({ tools, tracks }: Names): number {
    const { without, ...asked } = this.#choice
    let changed = Infinity
    const setEntry = (table: Uint8Array, index: number, wanted: number) => {
      if (table[index] === wanted) return
      table[index] = wanted
      changed = 0
    }
    for (; this.#knownTools < tools.length; this.#knownTools++) {
      const name = tools[this.#knownTools] ?? ''
      setEntry(this.#tools, this.#knownTools + 1, isIncluded(name, asked.tools, without.tools))
    }
    for (; this.#knownTracks < tracks.length; this.#knownTracks++) {
      const id = tracks[this.#knownTracks]?.trackId ?? null
      setEntry(this.#tracks, this.#knownTracks, isIncluded(id, asked.tracks, without.tracks))
    }
    return changed
  }

  /** Sets the matches, new from row `from` on. Returns the first row whose answer may have changed. */
  setHits({ text, hits, searching }: Hits, from: number): number {
    const wanted = this.#choice.onlyHits && text !== ''
    const before = this.#hits
    this.#hits = wanted ? hits : null
    this.#searching = searching
    if (before === null || this.#hits === null) return before === this.#hits ? Infinity : 0
    return from
  }

  mark(columns: LogColumns, from: number, to: number, into: Uint8Array): void {
    const { kind, severity, tool, track } = columns
    const [kinds, severities, tools, tracks] = [this.#kinds, this.#severities, this.#tools, this.#tracks]
    for (let row = from; row < to; row++) {
      into[row - from] =
        (kinds[kind[row] ?? 0] ?? 0) &
        (severities[severity[row] ?? 0] ?? 0) &
        (tools[tool[row] ?? 0] ?? 0) &
        (tracks[track[row] ?? 0] ?? 0)
    }
    if (this.#choice.onlyFailed) markFailed(columns, from, to, into)
    if (this.#hits !== null) markHits(this.#hits, from, to, into)
  }

  /** Whether a row passes. */
  passes(columns: LogColumns, row: number): boolean {
    this.mark(columns, row, row + 1, this.#one)
    return this.#one[0] === 1
  }
}

/** 1 for a member that passes: included, if there are included ones, and not excluded. */
function isIncluded<T>(member: T, asked: ReadonlySet<T>, without: ReadonlySet<T>): 0 | 1 {
  return (asked.size === 0 || asked.has(member)) && !without.has(member) ? 1 : 0
}

/** Keeps only failed calls and their results. */
function markFailed(columns: LogColumns, from: number, to: number, into: Uint8Array): void {
  for (let row = from; row < to; row++) {
    if (into[row - from] === 1 && columns.failedCallAt(row) < 0) into[row - from] = 0
  }
}

/** Keeps only matches. */
function markHits(hits: Uint32Array, from: number, to: number, into: Uint8Array): void {
  let position = firstHitFrom(hits, from)
  for (let row = from; row < to; row++) {
    if (hits[position] === row) position++
    else into[row - from] = 0
  }
}
