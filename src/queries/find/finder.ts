import { HostError } from '#contract/host-error.ts'
import type { FindAnswer } from './find-jobs.ts'
import type { MatchAllowance } from './match-guard.ts'
import { groupedText } from '#core/measure-text.ts'

/** Why a search ended early: a sentence for the user. */
export class FindFailure extends Error {}

/** Why a search ended early: a sentence for the user. Of an unknown error it has the name only, as its message may quote the log. */
export function searchFailure(error: unknown): string {
  if (error instanceof FindFailure || error instanceof HostError) return error.message
  const { code, name } =
    error instanceof Error ? (error as Error & { readonly code?: string }) : { code: null, name: 'unknown' }
  return sentenceOf(code ?? null, name)
}

function sentenceOf(code: string | null, name: string): string {
  return code !== null && /^E[A-Z]+$/.test(code)
    ? `The search was stopped: the log could not be read (${code}).`
    : `The search failed inside Playhead (${name}). Change its text to search again, and please report this.`
}

/** Checks, a second apart, without progress after which a match counts as endless. */
export const maxChecks = 10
export const defaultLookInterval = 1000

/** A job of a search thread. */
export interface AnyJob {
  readonly query: { readonly regex: boolean }
  readonly allowance?: MatchAllowance
}

/** A part of a job's result. */
export interface AnyPart {
  /** The progress: a byte offset, for jobs that are pieces of files. */
  readonly to: number
}

/** A search thread with a `FindServer`, or one with the same messages. */
export interface FindThread<J> {
  post(job: J): void
  /** Ends it at once; resolves when it no longer reads files. */
  end(): Promise<unknown>
}

/** The listener of a thread. `lost`: it ended unexpectedly, perhaps out of memory. */
export interface FindThreadListener<P> {
  onAnswer(answer: FindAnswer<P>): void
  onLost(outOfMemory: boolean): void
}

export type StartFindThread<J, P> = (listener: FindThreadListener<P>) => FindThread<J>

interface Work<J, P> {
  readonly job: J
  readonly onFound: (part: P) => void
  readonly resolve: (spentMs: number) => void
  readonly reject: (failure: FindFailure) => void
  /** Null: not begun, as the thread is starting. */
  reached: number | null
  file: string | undefined
  readonly hasRested: () => void
}

/** The owner's side of a search thread. */
export class Finder<J extends AnyJob, P extends AnyPart> {
  readonly #thread: FindThread<J>
  readonly #lookInterval: number
  #work: Work<J, P> | null = null
  #rested: Promise<void> = Promise.resolve()
  #looks: Timer | null = null
  #silent = 0
  #ended = false
  /** Whether the thread has loaded its code. */
  #isReady = false
  /** Whether it ends endless matches itself. */
  #isGuarded = false
  /** Resolves when the thread is ready or gone. */
  readonly #begun: Promise<void>
  #hasBegun: () => void = () => {}

  constructor(start: StartFindThread<J, P>, lookInterval = defaultLookInterval) {
    this.#lookInterval = lookInterval
    this.#begun = new Promise((begun) => (this.#hasBegun = begun))
    this.#thread = start({
      onAnswer: (answer) => this.#onAnswer(answer),
      onLost: (outOfMemory) => this.#onLost(outOfMemory)
    })
  }

  get isBusy(): boolean {
    return this.#work !== null
  }

  /** Resolves at the end of the current job; a new promise for each job. */
  get rested(): Promise<void> {
    return this.#rested
  }

  /** Whether the thread is gone. */
  get isEnded(): boolean {
    return this.#ended
  }

  /** Searches a piece while not busy; parts are in order. Resolves with the ms of slow matches. Rejects with a `FindFailure`, never after `close`. */
  search(job: J, onFound: (part: P) => void): Promise<number> {
    let hasRested = (): void => {}
    this.#rested = new Promise((resolve) => (hasRested = resolve))
    return new Promise<number>((resolve, reject) => {
      this.#work = { job, onFound, resolve, reject, reached: null, file: undefined, hasRested }
      this.#silent = 0
      // Reads may be slow, so only an expression can be endless.
      if (job.query.regex) this.#looks ??= setInterval(() => this.#look(), this.#lookInterval)
      if (this.#isReady) this.#thread.post(job)
    })
  }

  /** Drops the current job. Returns true if the thread has not begun, so it is free. */
  forget(): boolean {
    if (!this.#isReady) this.#rest()
    return !this.#isReady
  }

  /** Ends the thread at once; resolves when it no longer reads files. */
  async close(): Promise<void> {
    this.#ended = true
    this.#rest()
    // Ending a thread while it loads its code leaks open files.
    await this.#begun
    await this.#thread.end()
  }

  #onAnswer(answer: FindAnswer<P>): void {
    const work = this.#work
    if (answer.kind === 'ready') {
      this.#isReady = true
      this.#isGuarded = answer.isGuarded === true
      this.#hasBegun()
      if (work) this.#thread.post(work.job)
      return
    }
    if (!work) return
    this.#silent = 0
    if (answer.kind === 'at') {
      work.reached = answer.offset
      work.file = answer.file
      return
    }
    if (answer.kind === 'failed') {
      this.#rest()
      work.reject(failureOf(answer, work.file))
      return
    }
    work.reached = answer.part.to
    if (answer.isLast) this.#rest()
    work.onFound(answer.part)
    if (answer.isLast) work.resolve(answer.spentMs ?? 0)
  }

  /** Counts checks, not time, as the machine may sleep. */
  #look(): void {
    const work = this.#work
    if (work === null || work.reached === null || this.#isGuarded || ++this.#silent < maxChecks) return
    void this.close()
    work.reject(endlessAt(work.reached, work.file))
  }

  #onLost(outOfMemory: boolean): void {
    this.#hasBegun()
    if (this.#ended) return
    this.#ended = true
    const work = this.#work
    this.#rest()
    work?.reject(
      new FindFailure(
        outOfMemory
          ? 'The search was stopped: it ran out of memory. Try a simpler one.'
          : sentenceOf(null, 'a thread ended')
      )
    )
  }

  #rest(): void {
    this.#work?.hasRested()
    this.#work = null
    if (this.#looks) clearInterval(this.#looks)
    this.#looks = null
  }
}

function endlessAt(offset: number, file: string | undefined): FindFailure {
  const byte = `byte ${groupedText(offset)}`
  const where = file === undefined ? byte : `${byte} of ${file}`
  return new FindFailure(
    `The search was stopped: the expression takes too long in a line after ${where}. Try a simpler one.`
  )
}

function failureOf(
  { code, name, offset }: Extract<FindAnswer, { kind: 'failed' }>,
  file: string | undefined
): FindFailure {
  if (offset !== undefined) return endlessAt(offset, file)
  if (name === 'RangeError')
    return new FindFailure('The search was stopped: the expression is too complex for a line of this log.')
  return new FindFailure(sentenceOf(code, name))
}
