import type { TodoItem } from '../../events/todo.ts'
import type { TodoChange } from '../../replay/todo-changes.ts'
import type { Badge } from '../../index/summary.ts'
import type { RowMark } from '../../formats/log-format.ts'
import type { KeptEnds, KeptText } from './report-text.ts'

export interface EntryPlace {
  /** Another file of the run. */
  readonly file?: string | undefined
  readonly line: number
}

interface EntryBase {
  readonly at: EntryPlace
  /** ms since the Unix epoch; 0 unknown. */
  readonly time: number
  /** Why it is not part of the conversation. */
  mark?: RowMark
}

export interface SaidEntry extends EntryBase {
  readonly kind: 'prompt' | 'assistant' | 'reasoning' | 'status' | 'result'
  readonly text: KeptText
}

/** A tool call, its result if there is one, and the entries of its subagent. */
export interface CallEntry extends EntryBase {
  readonly kind: 'call'
  readonly tool: string
  readonly text: string
  readonly detail: string
  readonly mono: boolean
  readonly badges: readonly Badge[]
  result: CallResult | null
  readonly children: EntryList
}

export interface CallResult {
  readonly error: KeptEnds | null
  readonly exitCode: number | null
  readonly lines: number
  readonly tookMs: number | null
}

/** A todo list and its changes. */
export interface TodoEntry extends EntryBase {
  readonly kind: 'todos'
  readonly items: readonly TodoItem[]
  readonly changes: readonly TodoChange[]
}

export interface ErrorEntry extends EntryBase {
  readonly kind: 'error'
  readonly text: KeptEnds
  readonly code: string | null
}

/** A session that begins inside the run. */
export interface SessionEntry extends EntryBase {
  readonly kind: 'session'
  readonly text: string
}

/** The entries of a subagent whose call is in an earlier turn or missing. */
export interface TrackEntry extends EntryBase {
  readonly kind: 'track'
  readonly label: string
  readonly children: EntryList
}

export type Entry = SaidEntry | CallEntry | TodoEntry | ErrorEntry | SessionEntry | TrackEntry

/** Entries that a list keeps: first, last, and important ones between. */
export interface Room {
  readonly first: number
  readonly last: number
  readonly between: number
}

/** Omitted entries, counted by kind or tool. */
export type LeftOut = ReadonlyMap<string, number>

/** The entries of a turn or a subagent in order, limited in number. */
export class EntryList {
  readonly #room: Room
  readonly #first: Entry[] = []
  /** Important entries, each with the omitted ones before it. */
  readonly #between: { readonly left: LeftOut; readonly entry: Entry }[] = []
  #left = new Map<string, number>()
  #last: Entry[] = []

  constructor(room: Room) {
    this.#room = room
  }

  add(entry: Entry): void {
    if (this.#first.length < this.#room.first) {
      this.#first.push(entry)
      return
    }
    this.#last.push(entry)
    if (this.#last.length <= this.#room.last * 2) return
    const passed = this.#last.slice(0, this.#room.last)
    this.#last = this.#last.slice(this.#room.last)
    for (const old of passed) this.#pass(old)
  }

  get isEmpty(): boolean {
    return this.#first.length === 0
  }

  /** The kept entries in order, with the omitted ones between. */
  *[Symbol.iterator](): Generator<Entry | LeftOut> {
    yield* this.#first
    for (const { left, entry } of this.#between) {
      if (left.size > 0) yield left
      yield entry
    }
    if (this.#left.size > 0) yield this.#left
    yield* this.#last
  }

  #pass(entry: Entry): void {
    if (matters(entry) && this.#between.length < this.#room.between) {
      this.#between.push({ left: this.#left, entry })
      this.#left = new Map()
      return
    }
    const word = entry.kind === 'call' ? entry.tool : words[entry.kind]
    // The names must fit a line.
    const name = this.#left.size < 12 || this.#left.has(word) ? word : 'more'
    this.#left.set(name, (this.#left.get(name) ?? 0) + 1)
  }
}

const words: Record<Exclude<Entry['kind'], 'call'>, string> = {
  prompt: 'prompt',
  assistant: 'message',
  reasoning: 'thought',
  status: 'notice',
  result: 'message',
  todos: 'todo change',
  error: 'error',
  session: 'session',
  track: 'subagent'
}

/** In a long turn, failures, todos and prompts are kept. */
function matters(entry: Entry): boolean {
  if (entry.kind === 'call') return entry.result?.error !== null && entry.result !== null
  return entry.kind === 'todos' || entry.kind === 'error' || entry.kind === 'prompt'
}
