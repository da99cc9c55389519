import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { grown } from './grown.ts'
import { Listeners } from './listeners.ts'

type SpansPage = Result<'log.spans'>

const pageSpans = 100_000
const firstCapacity = 1024
/** Pause between requests while spans are counted, and while the log grows. */
const pauseMs = 20
const growthPauseMs = 1000

/** The spans of a log as typed arrays (`log.spans`). They are loaded while they are watched; the first `count` are valid. */
export class LogSpans {
  readonly changes = new Listeners()
  count = 0
  /** Index in `spanKinds`. */
  kind = new Uint8Array(firstCapacity)
  /** Bits of `spanFlags`. */
  flags = new Uint8Array(firstCapacity)
  /** Index in `LogStatus.tracks`. */
  track = new Uint16Array(firstCapacity)
  /** Ms since the epoch; NaN unknown. */
  begin = new Float64Array(firstCapacity)
  end = new Float64Array(firstCapacity)
  /** Rows; of a call itself and its result, -1 without one. */
  first = new Int32Array(firstCapacity)
  last = new Int32Array(firstCapacity)
  /** The first row of the span around it; -1: none. */
  parent = new Int32Array(firstCapacity)
  /** The read error, as a sentence. */
  error: string | null = null
  /** Whether all spans of the rows read so far are here. */
  isComplete = false
  readonly #fetch: (from: number, count: number) => Promise<SpansPage>
  #settled = 0
  #wanted = 0
  #isRequesting = false
  #grown = true
  #disposed = false

  constructor(fetch: (from: number, count: number) => Promise<SpansPage>) {
    this.#fetch = fetch
  }

  readonly watch = (): (() => void) => {
    this.#wanted++
    this.#goOn()
    return () => void this.#wanted--
  }

  /** Rows were added or replaced. */
  readonly onGrown = (): void => {
    this.#grown = true
    this.#goOn()
  }

  readonly retry = (): void => {
    this.error = null
    this.onGrown()
  }

  dispose(): void {
    this.#disposed = true
  }

  #goOn(): void {
    if (this.#wanted === 0 || this.#disposed || this.error !== null || this.#isRequesting || !this.#grown) return
    this.#isRequesting = true
    void this.#load()
  }

  async #load(): Promise<void> {
    this.#grown = false
    let isPartial = false
    try {
      let from = this.#settled
      for (;;) {
        const page = await this.#fetch(from, pageSpans)
        if (this.#disposed) return
        this.#take(page)
        from = page.from + page.count
        isPartial = page.counted < page.rows
        if (page.count === 0 || from >= page.total) break
      }
      this.isComplete = !isPartial
    } catch (error) {
      this.error = messageOf(error)
    }
    if (this.#disposed) return
    this.changes.notify()
    await new Promise((resume) => setTimeout(resume, isPartial ? pauseMs : growthPauseMs))
    this.#isRequesting = false
    if (isPartial) this.#grown = true
    this.#goOn()
  }

  #take(page: SpansPage): void {
    const { from, count } = page
    this.#growTo(from + count)
    this.kind.set(new Uint8Array(page.kind, 0, count), from)
    this.flags.set(new Uint8Array(page.flags, 0, count), from)
    this.track.set(new Uint16Array(page.track, 0, count), from)
    this.begin.set(new Float64Array(page.begin, 0, count), from)
    this.end.set(new Float64Array(page.end, 0, count), from)
    this.first.set(new Int32Array(page.first, 0, count), from)
    this.last.set(new Int32Array(page.last, 0, count), from)
    this.parent.set(new Int32Array(page.parent, 0, count), from)
    this.count = from + count
    this.#settled = Math.min(page.settled, this.count)
  }

  #growTo(count: number): void {
    if (count <= this.kind.length) return
    const capacity = Math.max(count, 2 * this.kind.length)
    this.kind = grown(this.kind, new Uint8Array(capacity))
    this.flags = grown(this.flags, new Uint8Array(capacity))
    this.track = grown(this.track, new Uint16Array(capacity))
    this.begin = grown(this.begin, new Float64Array(capacity))
    this.end = grown(this.end, new Float64Array(capacity))
    this.first = grown(this.first, new Int32Array(capacity))
    this.last = grown(this.last, new Int32Array(capacity))
    this.parent = grown(this.parent, new Int32Array(capacity))
  }
}
