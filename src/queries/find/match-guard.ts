import type { Expression } from '#core/query/linear-regex.ts'

/** Runs work, and ends it after a time, wherever it is. Returns false if it was ended. */
export type RunWithin = (ms: number, work: () => void) => boolean

/** What `linear-regex.ts` exports: an expression that is matched in linear time, or null. */
export type LinearExpression = (source: string, ignoreCase: boolean) => Expression | null

/** The time that a job has for slow matches. */
export interface MatchAllowance {
  readonly leftMs: number
  /** Earlier jobs of the search have used much of it. */
  readonly isSlow: boolean
}

/** The time for slow matches is over. */
export class EndlessMatch extends Error {
  override readonly name = 'EndlessMatch'
  /** Of the line. */
  readonly offset: number

  constructor(offset: number) {
    super(`no end after byte ${offset}`)
    this.offset = offset
  }
}

/** Only what is slower than two megabytes a second is slow, */
const bytesPerMs = 1 << 11
/** and takes longer than a pause of a busy machine. A line of many megabytes has no more than the second time. */
const [pauseMs, maxMs] = [50, 1000]

/** Ends the slow matches of a thread. */
export class MatchGuard {
  readonly #runWithin: RunWithin
  readonly #load: () => Promise<LinearExpression>
  #linear: LinearExpression | null = null
  #allowance: MatchAllowance = { leftMs: Infinity, isSlow: false }
  #spentMs = 0

  /** `load`: only expressions need what it loads. */
  constructor(runWithin: RunWithin, load: () => Promise<LinearExpression>) {
    this.#runWithin = runWithin
    this.#load = load
  }

  /** Before each job. */
  async begin(allowance: MatchAllowance | undefined): Promise<void> {
    this.#allowance = allowance ?? { leftMs: Infinity, isSlow: false }
    this.#spentMs = 0
    this.#linear ??= await this.#load()
  }

  get isSlow(): boolean {
    return this.#allowance.isSlow
  }

  /** Ms of slow matches in this job. */
  get spentMs(): number {
    return this.#spentMs
  }

  get leftMs(): number {
    return Math.max(0, this.#allowance.leftMs - this.#spentMs)
  }

  /** Runs work on so many bytes. Returns false if it was ended after `slowMs` more than such work takes. */
  run(bytes: number, slowMs: number, work: () => void): boolean {
    const ordinary = Math.min(maxMs, Math.max(pauseMs, bytes / bytesPerMs))
    const began = performance.now()
    // A timer cannot be longer.
    const isDone = this.#runWithin(Math.min(ordinary + slowMs, 2 ** 31 - 1), work)
    this.#spentMs += Math.max(0, performance.now() - began - ordinary)
    return isDone
  }

  linear(source: string, ignoreCase: boolean): Expression | null {
    return this.#linear?.(source, ignoreCase) ?? null
  }
}
