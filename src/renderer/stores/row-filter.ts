import type { LogStatus } from '#contract/methods.ts'
import type { IssueSeverity } from '#core/formats/issue.ts'
import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import { firstHitFrom } from './find-hits.ts'
import { type LogColumns, severityNames } from './log-columns.ts'
import type { FindState } from './log-find.ts'
import type { ShownRows } from './timeline-layout.ts'

/** What can be asked for, or left out, by name. */
export interface NamedChoice {
  readonly kinds: ReadonlySet<RowKind>
  /** Of calls and their results; by name. */
  readonly tools: ReadonlySet<string>
  /** By id; null is the main agent. */
  readonly tracks: ReadonlySet<string | null>
}

/** What a person asked to see. Within a group any of its members will do, an empty group asks for nothing; all groups count. */
export interface FilterChoice extends NamedChoice {
  /** What is not shown, whatever else is asked for. */
  readonly without: NamedChoice
  /** The worst severity of the row's issues. */
  readonly severities: ReadonlySet<IssueSeverity>
  /** Only rows that Find has found; without a search this asks for nothing. */
  readonly onlyHits: boolean
  /** Only calls that failed, each with its result. */
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
 * A choice made ready for the columns of one log: a table for each of them, so that a row costs four look-ups. What changes later
 * (names that come to be known, hits that come in) is told to it, and it says from which row on the answer may be another.
 */
export class RowFilter implements ShownRows {
  readonly #choice: FilterChoice
  readonly #kinds: Uint8Array
  readonly #severities: Uint8Array
  /** All that the columns can hold; names that are not known yet were not chosen. */
  readonly #tools: Uint8Array
  readonly #tracks: Uint8Array
  #knownTools = 0
  #knownTracks = 0
  /** Null: rows need not be hits. */
  #hits: Uint32Array | null = null
  #searching = false
  readonly #one = new Uint8Array(1)

  constructor(choice: FilterChoice, names: Names, find: Hits) {
    this.#choice = choice
    const all = (chosen: ReadonlySet<unknown>) => (chosen.size === 0 ? 1 : 0)
    this.#kinds = new Uint8Array(256).fill(all(choice.kinds))
    rowKinds.forEach((kind, index) => (this.#kinds[index] = isWanted(kind, choice.kinds, choice.without.kinds)))
    this.#severities = new Uint8Array(256).fill(all(choice.severities))
    severityNames.forEach((name, index) => {
      if (name !== 'none' && choice.severities.has(name)) this.#severities[index] = 1
    })
    this.#tools = new Uint8Array(65_536).fill(all(choice.tools))
    this.#tracks = new Uint8Array(65_536).fill(all(choice.tracks))
    this.onStatus(names)
    this.setHits(find, 0)
  }

  get wantsEach(): boolean {
    return this.#choice.kinds.size > 0 || this.#hits !== null
  }

  /** Behind its last hit a search that is under way has found nothing yet. */
  get decided(): number {
    if (this.#hits === null || !this.#searching) return Infinity
    return (this.#hits.at(-1) ?? -1) + 1
  }

  /** Rows from `from` on may be of failed calls now that were not, and the other way round. Returns from which row on rows may pass or not that did before. */
  failedFrom(from: number): number {
    return this.#choice.onlyFailed ? from : Infinity
  }

  /** Names of the log that came since. Returns from which row on rows may pass or not that did before; Infinity: none will. */
  onStatus({ tools, tracks }: Names): number {
    const { without, ...asked } = this.#choice
    let changed = Infinity
    const tell = (table: Uint8Array, index: number, wanted: number) => {
      if (table[index] === wanted) return
      table[index] = wanted
      changed = 0
    }
    for (; this.#knownTools < tools.length; this.#knownTools++) {
      const name = tools[this.#knownTools] ?? ''
      tell(this.#tools, this.#knownTools + 1, isWanted(name, asked.tools, without.tools))
    }
    for (; this.#knownTracks < tracks.length; this.#knownTracks++) {
      const id = tracks[this.#knownTracks]?.trackId ?? null
      tell(this.#tracks, this.#knownTracks, isWanted(id, asked.tracks, without.tracks))
    }
    return changed
  }

  /** What Find has found so far; it was the same before row `from`. Returns from which row on rows may pass or not that did before. */
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

  /** Whether one row passes. */
  passes(columns: LogColumns, row: number): boolean {
    this.mark(columns, row, row + 1, this.#one)
    return this.#one[0] === 1
  }
}

/** 1 for a member that passes: asked for, where any is, and not left out. */
function isWanted<T>(member: T, asked: ReadonlySet<T>, without: ReadonlySet<T>): 0 | 1 {
  return (asked.size === 0 || asked.has(member)) && !without.has(member) ? 1 : 0
}

/** Leaves the marks of those rows only that are calls that failed, or results of these. */
function markFailed(columns: LogColumns, from: number, to: number, into: Uint8Array): void {
  for (let row = from; row < to; row++) {
    if (into[row - from] === 1 && columns.failedCallAt(row) < 0) into[row - from] = 0
  }
}

/** Leaves the marks of those rows only that are hits. */
function markHits(hits: Uint32Array, from: number, to: number, into: Uint8Array): void {
  let position = firstHitFrom(hits, from)
  for (let row = from; row < to; row++) {
    if (hits[position] === row) position++
    else into[row - from] = 0
  }
}
