import { Column } from '../column.ts'
import { textHash } from '../formats/text-hash.ts'
import { HashNumbers } from '../hash-numbers.ts'
import { Interned } from '../index/interned.ts'
import { SparseNumbers } from '../sparse-numbers.ts'
import {
  type CompactionNote,
  isUnderstated,
  type RequestKind,
  requestKinds,
  type RequestNote,
  type RequestTier,
  requestTiers,
  type TokenNote,
  type TotalsNote,
  type TurnNote
} from './request-note.ts'
import { isUsd, RunCost } from './run-cost.ts'
import { addTokens, maxTokens, sentOf, type TokenCategory, tokenCategories, type Tokens } from './tokens.ts'

/** Whether the output count is reliable. */
export type OutputIs = 'stated' | 'understated' | 'unknown'

/** One request to a model, or what the end of a turn states. */
export interface ModelRequest {
  readonly of: RequestKind
  readonly trackId: string | null
  readonly model: string | null
  /** The first and last row of its lines. */
  readonly rowFirst: number
  readonly rowLast: number
  readonly tokens: Tokens
  readonly outputIs: OutputIs
  /** If understated: counted characters that the model wrote. */
  readonly written: number
  /** The turn end states the output of all its requests, so sums are complete. */
  readonly settled: boolean
  /** Tokens of the model's context window. */
  readonly window: number | null
  /** Time from the request to the first token of its answer. */
  readonly firstTokenMs: number | null
  /** Null: the log does not tell. */
  readonly tier: RequestTier | null
  /** What the log says it cost, in US dollars. */
  readonly costUsd: number | null
  /** It is part of what the log says that the whole run cost (`RunCost`). */
  readonly inRunCost: boolean
}

/** The agent replaced what its model had read by a summary. */
export interface Compaction {
  /** The first row of its line. */
  readonly row: number
  readonly trackId: string | null
  /** Tokens of the context before and after it; null: not stated. */
  readonly before: number | null
  readonly after: number | null
}

const unknown = 0xffffffff
const chunkBits = 8
const maxTracks = 10_000
const maxModels = 250
/** A run has a handful. */
const maxCompactions = 1000
/** Requests of other tracks beside a compaction. */
const maxSteps = 1000

const kindMask = 3
const understated = 4
const settled = 8
/** In three bits, the place in `requestTiers` plus one; 0: not told. */
const tierShift = 4
const tierMask = 7 << tierShift
const inRunCost = 128

/** The requests of a run in order of their start: about 60 bytes each. */
export class RequestList {
  private readonly keys = new HashNumbers()
  private readonly ofKeys = new Column('uint32', chunkBits)
  private readonly firstRows = new Column('uint32', chunkBits)
  private readonly lastRows = new Column('uint32', chunkBits)
  private readonly flags = new Column('uint8', chunkBits)
  private readonly trackNumbers = new Column('uint16', chunkBits)
  private readonly modelNumbers = new Column('uint8', chunkBits)
  private readonly counts: Readonly<Record<TokenCategory, Column>> = {
    input: new Column('uint32', chunkBits),
    cacheRead: new Column('uint32', chunkBits),
    cacheWrite: new Column('uint32', chunkBits),
    cacheWriteHour: new Column('uint32', chunkBits),
    output: new Column('uint32', chunkBits),
    reasoning: new Column('uint32', chunkBits)
  }
  private readonly written = new SparseNumbers('uint32')
  private readonly windows = new SparseNumbers('uint32')
  private readonly windowsOfModels = new Map<string, number>()
  private readonly firstTokens = new SparseNumbers('float64')
  private readonly costs = new SparseNumbers('float64')
  private readonly tracks = new Interned(maxTracks, 'further subagents')
  private readonly models = new Interned(maxModels, 'further models')
  /** By track number: the track's last entry plus one. `formers`: the previous entry of the track, plus one. */
  private readonly lastOfTrack = new Map<number, number>()
  private readonly formers = new Column('uint32', chunkBits)
  /** By track number: the number of entries at the end of its last turn. */
  private readonly turnStarts = new Map<number, number>()
  /** The number of entries at the last totals. */
  private totalsStart = 0
  private readonly compactionRows = new Column('uint32', 4)
  private readonly compactionTracks = new Column('uint16', 4)
  private readonly compactionTokens = new Column('uint32', 4)
  private readonly compactionRests = new Column('uint32', 4)
  /** By compaction: the number of entries before it. */
  private readonly compactionPlaces = new Column('uint32', 4)
  private readonly runCost = new RunCost()
  /** The number of entries when the log last stated the cost of the run. */
  private coveredByRun = 0

  get length(): number {
    return this.flags.length
  }

  /** Adds a note. `rowFirst` to `rowLast`: the rows of its line. */
  add(note: TokenNote, rowFirst: number, rowLast: number): void {
    if (note.about === 'turn') this.endTurn(note, rowFirst, rowLast)
    else if (note.about === 'totals') this.addTotals(note, rowFirst, rowLast)
    else if (note.about === 'compaction') this.addCompaction(note, rowFirst)
    else if (note.about === 'cost' && note.ofNamed === true) this.runCost.add(note.costUsd)
    else if (note.about === 'cost') this.addRunCost(note.costUsd)
    else this.addRequest(note, rowFirst, rowLast)
  }

  /** What the log states that the run cost, in US dollars; null: it does not. */
  get runCostUsd(): number | null {
    return this.runCost.usd
  }

  /** The log states what the run cost so far, all requests before included. Returns what that adds, in US dollars. */
  addRunCost(costUsd: number | undefined): number | undefined {
    const added = this.runCost.add(costUsd)
    if (added === undefined) return undefined
    for (; this.coveredByRun < this.length; this.coveredByRun++) this.setFlag(this.coveredByRun, inRunCost)
    return added
  }

  at(index: number): ModelRequest {
    const flags = this.flags.at(index)
    const track = this.trackNumbers.at(index)
    const model = this.modelNumbers.at(index)
    return {
      of: this.kindAt(index),
      trackId: track === 0 ? null : this.tracks.nameOf(track),
      model: model === 0 ? null : this.models.nameOf(model),
      rowFirst: this.firstRows.at(index),
      rowLast: this.lastRows.at(index),
      tokens: this.tokensAt(index),
      outputIs: this.outputIs(index),
      written: this.written.at(index) ?? 0,
      settled: (flags & settled) !== 0,
      window: this.windows.at(index) ?? this.windowsOfModels.get(this.models.nameOf(model)) ?? null,
      firstTokenMs: this.firstTokens.at(index) ?? null,
      tier: requestTiers[((flags & tierMask) >> tierShift) - 1] ?? null,
      costUsd: this.costs.at(index) ?? null,
      inRunCost: (flags & inRunCost) !== 0
    }
  }

  [Symbol.iterator](): Generator<ModelRequest> {
    return this.between(0, Infinity)
  }

  /** The requests that began in rows `from` … `to - 1`. */
  *between(from: number, to: number): Generator<ModelRequest> {
    for (let index = this.firstRows.firstFrom(from); index < this.length && this.firstRows.at(index) < to; index++)
      yield this.at(index)
  }

  /** In the order of their rows. */
  get compactions(): (Compaction & { readonly former: ModelRequest | null; readonly next: ModelRequest | null })[] {
    return Array.from({ length: this.compactionRows.length }, (_, i) => {
      const track = this.compactionTracks.at(i)
      const [before, after] = [this.compactionTokens.at(i), this.compactionRests.at(i)]
      const place = this.compactionPlaces.at(i)
      return {
        row: this.compactionRows.at(i),
        trackId: track === 0 ? null : this.tracks.nameOf(track),
        before: before === unknown ? null : before,
        after: after === unknown ? null : after,
        former: this.nearest(track, place - 1, -1),
        next: this.nearest(track, place, 1)
      }
    })
  }

  /** How many compactions there are. */
  get compactionCount(): number {
    return this.compactionRows.length
  }

  /** The row of a compaction. `index`: below `compactionCount`. */
  compactionRow(index: number): number {
    return this.compactionRows.at(index)
  }

  /** The nearest request of a track from entry `index` on in a direction. */
  private nearest(track: number, index: number, step: 1 | -1): ModelRequest | null {
    for (let at = index; at >= 0 && at < this.length && Math.abs(at - index) < maxSteps; at += step) {
      if (this.trackNumbers.at(at) === track && this.kindAt(at) === 'request') return this.at(at)
    }
    return null
  }

  private addCompaction({ trackId, before, after }: CompactionNote, row: number): void {
    if (this.compactionRows.length === maxCompactions) return
    this.compactionRows.push(row)
    this.compactionTracks.push(this.trackNumber(trackId))
    this.compactionTokens.push(isCount(before) ? before : unknown)
    this.compactionRests.push(isCount(after) ? after : unknown)
    this.compactionPlaces.push(this.length)
  }

  /** Names of models: number n of `modelsOf` is at n - 1. */
  get modelNames(): readonly string[] {
    return this.models.names
  }

  /** The tracks by number. */
  get trackIds(): readonly (string | null)[] {
    return [null, ...this.tracks.names]
  }

  // What `at` gives for each of the requests from `from` on, which must exist. Fills `into` and returns it.

  /** NaN where the log does not state them. */
  tokensOf(category: TokenCategory, from: number, into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    const stated = this.statedOf(category, from, into.length)
    for (let i = 0; i < into.length; i++) {
      const value = stated[i] ?? unknown
      into[i] = value === unknown ? NaN : value
    }
    return into
  }

  /** All tokens sent, as `sentOf`; NaN where the log states none. */
  sent(from: number, into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    const input = this.statedOf('input', from, into.length)
    const read = this.statedOf('cacheRead', from, into.length)
    const write = this.statedOf('cacheWrite', from, into.length)
    for (let i = 0; i < into.length; i++) {
      const a = input[i] ?? unknown
      const b = read[i] ?? unknown
      const c = write[i] ?? unknown
      if (a === unknown && b === unknown && c === unknown) into[i] = NaN
      else into[i] = (a === unknown ? 0 : a) + (b === unknown ? 0 : b) + (c === unknown ? 0 : c)
    }
    return into
  }

  /** 1 where the output is understated. */
  understated(from: number, into: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const output = this.statedOf('output', from, into.length)
    this.flags.copy(from, into)
    for (let i = 0; i < into.length; i++) {
      into[i] = ((into[i] ?? 0) & understated) !== 0 && output[i] !== unknown ? 1 : 0
    }
    return into
  }

  /** What the log says they cost, in US dollars; NaN where it does not say. */
  costsOf(from: number, into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    return this.costs.copy(from, into)
  }

  /** 1 where an entry is one request: not all of a turn, nor the rest of it. */
  areOne(from: number, into: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const request = requestKinds.indexOf('request')
    this.flags.copy(from, into)
    for (let i = 0; i < into.length; i++) into[i] = ((into[i] ?? 0) & kindMask) === request ? 1 : 0
    return into
  }

  /** Numbers of models, from 1; 0: none. */
  modelsOf(from: number, into: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return this.modelNumbers.copy(from, into)
  }

  firstRowsOf(from: number, into: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    return this.firstRows.copy(from, into)
  }

  lastRowsOf(from: number, into: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    return this.lastRows.copy(from, into)
  }

  /** Numbers in `trackIds`. */
  tracksOf(from: number, into: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
    return this.trackNumbers.copy(from, into)
  }

  private statedOf(category: TokenCategory, from: number, count: number): Uint32Array {
    return this.counts[category].copy(from, new Uint32Array(count))
  }

  private addRequest(note: RequestNote, rowFirst: number, rowLast: number): void {
    const key = this.keys.numberFor(textHash(note.key))
    const isKnown = key >= 0 && key < this.ofKeys.length
    const index = isKnown ? this.ofKeys.at(key) : this.push(note.of ?? 'request', note, rowFirst)
    // Without room for the key, each of its lines is a request.
    if (!isKnown && key >= 0) this.ofKeys.push(index)
    this.lastRows.set(index, isKnown ? Math.max(this.lastRows.at(index), rowLast) : rowLast)
    this.setTokens(index, note)
    if (note.window !== undefined) this.windows.set(index, note.window)
    if (isUsd(note.costUsd)) this.costs.set(index, note.costUsd)
    if (note.settled === true) this.setFlag(index, settled)
    if (note.inRunCost === true) this.setFlag(index, inRunCost)
    if (note.firstTokenMs !== undefined) this.firstTokens.set(index, note.firstTokenMs)
    if (note.tier !== undefined) this.setTier(index, note.tier)
  }

  private setFlag(index: number, flag: number): void {
    this.flags.set(index, this.flags.at(index) | flag)
  }

  private setTier(index: number, tier: RequestTier): void {
    this.flags.set(index, (this.flags.at(index) & ~tierMask) | ((requestTiers.indexOf(tier) + 1) << tierShift))
  }

  /** The last line counts. */
  private setTokens(index: number, { tokens, written, model }: RequestNote): void {
    for (const category of tokenCategories) {
      const value = tokens[category]
      if (value !== undefined) this.counts[category].set(index, value)
    }
    const characters = (this.written.at(index) ?? 0) + (written ?? 0)
    if (characters > 0) this.written.set(index, Math.min(characters, maxTokens))
    const output = this.counts.output.at(index)
    const isLess = output !== unknown && isUnderstated(output, characters)
    const flags = this.flags.at(index)
    this.flags.set(index, isLess ? flags | understated : flags & ~understated)
    if (model !== undefined) this.modelNumbers.set(index, this.models.numberOf(model))
  }

  /**
   * A turn end states the total of its requests. What exceeds the known requests is an entry of its own. The total is
   * complete only if it sent at least as much: it may omit requests before an interruption.
   */
  private endTurn(note: TurnNote, rowFirst: number, rowLast: number): void {
    this.addWindows(note)
    const open = note.requests?.flatMap((key) => this.entryOf(key)) ?? this.openOf(this.trackNumber(note.trackId))
    const [first] = open
    if (first !== undefined && note.firstTokenMs !== undefined) this.firstTokens.set(first, note.firstTokenMs)
    this.addRest(note, open, {}, [rowFirst, rowLast])
    this.turnStarts.set(this.trackNumber(note.trackId), this.length)
  }

  /** Adds what a statement has beyond its requests. `apart`: tokens of further requests, of which it has a part. */
  private addRest(
    note: Pick<RequestNote, 'model' | 'tokens' | 'trackId'>,
    requests: readonly number[],
    apart: Tokens,
    [rowFirst, rowLast]: readonly [number, number]
  ): Tokens {
    let sum: Tokens = {}
    for (const index of requests) {
      const { output, ...sent } = this.tokensAt(index)
      sum = addTokens(sum, this.outputIs(index) === 'stated' ? { ...sent, output } : sent)
    }
    const hasAll = (sentOf(note.tokens) ?? 0) >= (sentOf(sum) ?? 0)
    if (hasAll && note.tokens.output !== undefined) {
      for (const index of requests) this.flags.set(index, this.flags.at(index) | settled)
    }
    const more = restOf(note.tokens, sum, hasAll)
    const rest = restOf(more, apart, true)
    if (tokenCategories.some((category) => (rest[category] ?? 0) > 0)) {
      const isAlone = requests.length === 0 && Object.keys(apart).length === 0
      const index = this.push(isAlone ? 'turn' : 'rest', note, rowFirst)
      this.lastRows.set(index, rowLast)
      for (const category of tokenCategories) this.counts[category].set(index, rest[category] ?? unknown)
    }
    return more
  }

  /** Requests without a model are of the only one. Of several, each may have made any of them. */
  private addTotals({ byModel }: TotalsNote, rowFirst: number, rowLast: number): void {
    const open: number[] = []
    for (let index = this.totalsStart; index < this.length; index++) {
      if (this.kindAt(index) === 'request') open.push(index)
    }
    const [first] = byModel
    const unnamed = open.filter((index) => this.modelNumbers.at(index) === 0)
    if (byModel.length === 1 && first !== undefined) {
      for (const index of unnamed.splice(0)) this.modelNumbers.set(index, this.models.numberOf(first.model))
    }
    let apart = unnamed.reduce<Tokens>((sum, index) => addTokens(sum, this.tokensAt(index)), {})
    for (const { model, tokens } of byModel) {
      const requests = open.filter((index) => this.models.nameOf(this.modelNumbers.at(index)) === model)
      const more = this.addRest({ trackId: undefined, model, tokens }, requests, apart, [rowFirst, rowLast])
      apart = restOf(apart, more, true)
    }
    this.totalsStart = this.length
  }

  /** The entry of a request, if there is one. */
  private entryOf(key: string): readonly number[] {
    const number = this.keys.numberOf(textHash(key))
    return number >= 0 && number < this.ofKeys.length ? [this.ofKeys.at(number)] : []
  }

  /** The requests of a track since its last turn end. */
  private openOf(track: number): number[] {
    const from = this.turnStarts.get(track) ?? 0
    const open: number[] = []
    for (let next = this.lastOfTrack.get(track) ?? 0; next > from; next = this.formers.at(next - 1)) {
      if (this.kindAt(next - 1) === 'request') open.push(next - 1)
    }
    return open.reverse()
  }

  private addWindows({ windows = {} }: TurnNote): void {
    for (const [model, window] of Object.entries(windows)) {
      if (this.windowsOfModels.size < maxModels) this.windowsOfModels.set(model, window)
    }
  }

  private push(kind: RequestKind, { trackId, model }: Pick<RequestNote, 'trackId' | 'model'>, row: number): number {
    const index = this.length
    this.firstRows.push(row)
    this.lastRows.push(row)
    this.flags.push(requestKinds.indexOf(kind))
    const track = this.trackNumber(trackId)
    this.trackNumbers.push(track)
    this.formers.push(this.lastOfTrack.get(track) ?? 0)
    this.lastOfTrack.set(track, index + 1)
    this.modelNumbers.push(model === undefined ? 0 : this.models.numberOf(model))
    for (const category of tokenCategories) this.counts[category].push(unknown)
    return index
  }

  private trackNumber(trackId: string | undefined): number {
    return trackId === undefined ? 0 : this.tracks.numberOf(trackId)
  }

  private tokensAt(index: number): Tokens {
    const tokens: { [C in TokenCategory]?: number } = {}
    for (const category of tokenCategories) {
      const value = this.counts[category].at(index)
      if (value !== unknown) tokens[category] = value
    }
    return tokens
  }

  private kindAt(index: number): RequestKind {
    return requestKinds[this.flags.at(index) & kindMask] ?? 'request'
  }

  private outputIs(index: number): OutputIs {
    if (this.counts.output.at(index) === unknown) return 'unknown'
    return (this.flags.at(index) & understated) === 0 ? 'stated' : 'understated'
  }
}

function isCount(tokens: number | undefined): tokens is number {
  return tokens !== undefined && Number.isInteger(tokens) && tokens >= 0 && tokens <= maxTokens
}

/** The excess of `all` over `sum`. `sentToo`: also of sent tokens, as the log lacks requests or their counts. */
function restOf(all: Tokens, sum: Tokens, sentToo: boolean): Tokens {
  const rest: { [C in TokenCategory]?: number } = {}
  for (const category of tokenCategories) {
    const value = all[category]
    if (value === undefined) continue
    const isOutput = category === 'output' || category === 'reasoning'
    const more = value - (sum[category] ?? 0)
    if (more > 0 && (isOutput || sentToo)) rest[category] = more
    else if (sum[category] === undefined && (isOutput || sentToo)) rest[category] = value
  }
  return rest
}
