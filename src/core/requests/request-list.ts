import { Column } from '../column.ts'
import { textHash } from '../formats/text-hash.ts'
import { HashNumbers } from '../hash-numbers.ts'
import { Interned } from '../index/interned.ts'
import { SparseNumbers } from '../sparse-numbers.ts'
import { isUnderstated, type RequestNote, type TokenNote, type TurnNote } from './request-note.ts'
import { addTokens, maxTokens, sentOf, type TokenCategory, tokenCategories, type Tokens } from './tokens.ts'

/** Whether an output count is what the model wrote. */
export type OutputIs = 'stated' | 'understated' | 'unknown'

/**
 * One request to a model. Of logs that state tokens at the ends of turns: `turn`, all requests of one turn, however many they were; `rest`,
 * what the end of a turn states beyond the requests that the log has.
 */
export interface ModelRequest {
  readonly of: 'request' | 'turn' | 'rest'
  readonly trackId: string | null
  readonly model: string | null
  /** The first and the last row of the lines that state it. */
  readonly rowFirst: number
  readonly rowLast: number
  readonly tokens: Tokens
  readonly outputIs: OutputIs
  /** Of an understated one: characters that the model wrote, as far as they were counted. */
  readonly written: number
  /** The end of its turn states the output of all of the turn's requests, so that no sum lacks any of it. */
  readonly settled: boolean
  /** Tokens that fit into the model's context. */
  readonly window: number | null
  /** From the request to the first token of its answer, in ms. */
  readonly firstTokenMs: number | null
}

const unknown = 0xffffffff
const chunkBits = 8
const maxTracks = 10_000
const maxModels = 250

const kinds = ['request', 'turn', 'rest'] as const
const kindMask = 3
const understated = 4
const settled = 8

/** The requests of a run in the order in which they began: about 60 bytes each. */
export class RequestList {
  private readonly keys = new HashNumbers()
  private readonly ofKeys = new Column('uint32', chunkBits)
  private readonly firstRows = new Column('uint32', chunkBits)
  private readonly lastRows = new Column('uint32', chunkBits)
  private readonly flags = new Column('uint8', chunkBits)
  private readonly trackNumbers = new Column('uint16', chunkBits)
  private readonly modelNumbers = new Column('uint8', chunkBits)
  private readonly counts: readonly Column[] = tokenCategories.map(() => new Column('uint32', chunkBits))
  private readonly written = new SparseNumbers('uint32')
  private readonly windows = new SparseNumbers('uint32')
  private readonly windowsOfModels = new Map<string, number>()
  private readonly firstTokens = new SparseNumbers('float64')
  private readonly tracks = new Interned(maxTracks, 'further subagents')
  private readonly models = new Interned(maxModels, 'further models')
  /** By track number: one more than the last entry of the track. From each entry the one before of its track, plus one. */
  private readonly lastOfTrack = new Map<number, number>()
  private readonly formers = new Column('uint32', chunkBits)
  /** By track number: how many entries there were at the end of the track's last turn. */
  private readonly turnStarts = new Map<number, number>()

  get length(): number {
    return this.flags.length
  }

  /** Takes what a line says. `rowFirst` to `rowLast`: the line's rows. */
  add(note: TokenNote, rowFirst: number, rowLast: number): void {
    if (note.about === 'turn') this.endTurn(note, rowFirst, rowLast)
    else this.addRequest(note, rowFirst, rowLast)
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
      firstTokenMs: this.firstTokens.at(index) ?? null
    }
  }

  /** All of them. */
  [Symbol.iterator](): Generator<ModelRequest> {
    return this.between(0, Infinity)
  }

  /** Those that began in the rows `from` … `to - 1`. */
  *between(from: number, to: number): Generator<ModelRequest> {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.firstRows.at(middle) < from) low = middle + 1
      else high = middle
    }
    for (let index = low; index < this.length && this.firstRows.at(index) < to; index++) yield this.at(index)
  }

  private addRequest(note: RequestNote, rowFirst: number, rowLast: number): void {
    const hash = textHash(note.key)
    const key = this.keys.add(hash)
    const known = key === null ? this.keys.numberOf(hash) : -1
    let index = known < 0 ? -1 : this.ofKeys.at(known)
    if (index < 0) {
      index = this.push('request', note, rowFirst)
      // Where there is no room for the key, each line that has it is a request of its own.
      if (key !== null && key >= 0) this.ofKeys.push(index)
    }
    this.lastRows.set(index, Math.max(this.lastRows.at(index), rowLast))
    this.setTokens(index, note)
    if (note.window !== undefined) this.windows.set(index, note.window)
  }

  /** What the last line states counts. */
  private setTokens(index: number, { tokens, written, model }: RequestNote): void {
    for (const [place, category] of tokenCategories.entries()) {
      const value = tokens[category]
      if (value !== undefined) this.counts[place]?.set(index, value)
    }
    const characters = (this.written.at(index) ?? 0) + (written ?? 0)
    if (characters > 0) this.written.set(index, Math.min(characters, maxTokens))
    const { output } = this.tokensAt(index)
    const isLess = output !== undefined && isUnderstated(output, characters)
    const flags = this.flags.at(index)
    this.flags.set(index, isLess ? flags | understated : flags & ~understated)
    if (model !== undefined) this.modelNumbers.set(index, this.models.numberOf(model))
  }

  /**
   * The end of a turn states what its requests took together. Where that is more than they state, the rest is an entry of its own. It has
   * all of them only if it has sent as much as they have: what was asked for before an interruption may be left out.
   */
  private endTurn(note: TurnNote, rowFirst: number, rowLast: number): void {
    this.takeFacts(note)
    const open = this.openOf(this.trackNumber(note.trackId))
    const [first] = open
    if (first !== undefined && note.firstTokenMs !== undefined) this.firstTokens.set(first, note.firstTokenMs)
    let sum: Tokens = {}
    for (const index of open) {
      const { output, ...sent } = this.tokensAt(index)
      sum = addTokens(sum, this.outputIs(index) === 'stated' ? { ...sent, output } : sent)
    }
    const hasAll = (sentOf(note.tokens) ?? 0) >= (sentOf(sum) ?? 0)
    if (hasAll && note.tokens.output !== undefined) {
      for (const index of open) this.flags.set(index, this.flags.at(index) | settled)
    }
    const rest = restOf(note.tokens, sum, hasAll)
    if (tokenCategories.some((category) => (rest[category] ?? 0) > 0)) {
      const index = this.push(open.length === 0 ? 'turn' : 'rest', note, rowFirst)
      this.lastRows.set(index, rowLast)
      for (const [place, category] of tokenCategories.entries())
        this.counts[place]?.set(index, rest[category] ?? unknown)
    }
    this.turnStarts.set(this.trackNumber(note.trackId), this.length)
  }

  /** The requests of a track since the end of its last turn. */
  private openOf(track: number): number[] {
    const from = this.turnStarts.get(track) ?? 0
    const open: number[] = []
    for (let next = this.lastOfTrack.get(track) ?? 0; next > from; next = this.formers.at(next - 1)) {
      if (this.kindAt(next - 1) === 'request') open.push(next - 1)
    }
    return open.reverse()
  }

  private takeFacts({ windows = {} }: TurnNote): void {
    for (const [model, window] of Object.entries(windows)) {
      if (this.windowsOfModels.size < maxModels) this.windowsOfModels.set(model, window)
    }
  }

  private push(kind: ModelRequest['of'], { trackId, model }: TokenNote, row: number): number {
    const index = this.length
    this.firstRows.push(row)
    this.lastRows.push(row)
    this.flags.push(kinds.indexOf(kind))
    const track = this.trackNumber(trackId)
    this.trackNumbers.push(track)
    this.formers.push(this.lastOfTrack.get(track) ?? 0)
    this.lastOfTrack.set(track, index + 1)
    this.modelNumbers.push(model === undefined ? 0 : this.models.numberOf(model))
    for (const column of this.counts) column.push(unknown)
    return index
  }

  private trackNumber(trackId: string | undefined): number {
    return trackId === undefined ? 0 : this.tracks.numberOf(trackId)
  }

  private tokensAt(index: number): Tokens {
    const tokens: { [C in TokenCategory]?: number } = {}
    for (const [place, category] of tokenCategories.entries()) {
      const value = this.counts[place]?.at(index) ?? unknown
      if (value !== unknown) tokens[category] = value
    }
    return tokens
  }

  private kindAt(index: number): ModelRequest['of'] {
    return kinds[this.flags.at(index) & kindMask] ?? 'request'
  }

  private outputIs(index: number): OutputIs {
    if (this.tokensAt(index).output === undefined) return 'unknown'
    return (this.flags.at(index) & understated) === 0 ? 'stated' : 'understated'
  }
}

/** What `all` states beyond `sum`. `sentToo`: what was sent as well; where it is more, the log lacks requests, or does not say what they took. */
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
