import type { FindAnswer } from './find-jobs.ts'

/** Why a search ended early, in a sentence for people. */
export class FindFailure extends Error {}

/** A thread that has begun and has said nothing for that many looks, a second apart, is lost in one line. */
const patience = 10
const defaultLookInterval = 1000

/** What a thread that searches can be given. */
export interface AnyJob {
  readonly query: { readonly regex: boolean }
}

/** What it finds, until all of a job is done. */
export interface AnyPart {
  /** How far it is: a byte of a file, where jobs are pieces of files. */
  readonly to: number
}

/** A thread that searches: with a `FindServer` inside, or another one that takes jobs and answers so. */
export interface FindThread<J> {
  post(job: J): void
  /** Ends it, in whatever it is; resolves once it reads no file any more. */
  end(): Promise<unknown>
}

/** Who hears of a thread. `lost`: it ended by itself, perhaps for want of memory. */
export interface FindThreadListener<P> {
  hear(answer: FindAnswer<P>): void
  lost(outOfMemory: boolean): void
}

export type StartFindThread<J, P> = (listener: FindThreadListener<P>) => FindThread<J>

interface Work<J, P> {
  readonly job: J
  readonly onFound: (part: P) => void
  readonly resolve: () => void
  readonly reject: (failure: FindFailure) => void
  /** null: it has not begun, as the thread is just being started. */
  reached: number | null
  file: string | undefined
  readonly hasRested: () => void
}

/** The owner's side of one thread that searches files. */
export class Finder<J extends AnyJob, P extends AnyPart> {
  readonly #thread: FindThread<J>
  readonly #lookInterval: number
  #work: Work<J, P> | null = null
  #rested: Promise<void> = Promise.resolve()
  #looks: Timer | null = null
  #silent = 0
  #ended = false
  /** The thread has loaded its code and waits for jobs. */
  #isReady = false
  /** Resolves when it has, or is gone. */
  readonly #begun: Promise<void>
  #hasBegun: () => void = () => {}

  constructor(start: StartFindThread<J, P>, lookInterval = defaultLookInterval) {
    this.#lookInterval = lookInterval
    this.#begun = new Promise((begun) => (this.#hasBegun = begun))
    this.#thread = start({
      hear: (answer) => this.#hear(answer),
      lost: (outOfMemory) => this.#lost(outOfMemory)
    })
  }

  get isBusy(): boolean {
    return this.#work !== null
  }

  /** Resolves when it is not busy any more with what it is busy with now; another one with each job. */
  get rested(): Promise<void> {
    return this.#rested
  }

  /** The thread is gone. */
  get isEnded(): boolean {
    return this.#ended
  }

  /** Searches a piece; `onFound` gets its parts in order. Only while it is not busy. Rejects with a `FindFailure`; never once it is closed. */
  search(job: J, onFound: (part: P) => void): Promise<void> {
    let hasRested = (): void => {}
    this.#rested = new Promise((resolve) => (hasRested = resolve))
    return new Promise<void>((resolve, reject) => {
      this.#work = { job, onFound, resolve, reject, reached: null, file: undefined, hasRested }
      this.#silent = 0
      // Bytes may be slow to come, but a line of them is searched at once, unless an expression finds no end.
      if (job.query.regex) this.#looks ??= setInterval(() => this.#look(), this.#lookInterval)
      if (this.#isReady) this.#thread.post(job)
    })
  }

  /** Nobody wants any more what it searches. True where that is no more than forgotten, since the thread has not begun: it is free. */
  forget(): boolean {
    if (!this.#isReady) this.#rest()
    return !this.#isReady
  }

  /** Ends the thread, in whatever it is; resolves once it reads no file any more. */
  async close(): Promise<void> {
    this.#ended = true
    this.#rest()
    // A thread that is ended while it loads its code leaves the files of that open.
    await this.#begun
    await this.#thread.end()
  }

  #hear(answer: FindAnswer<P>): void {
    const work = this.#work
    if (answer.kind === 'ready') {
      this.#isReady = true
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
      work.reject(failureOf(answer))
      return
    }
    work.reached = answer.part.to
    if (answer.isLast) this.#rest()
    work.onFound(answer.part)
    if (answer.isLast) work.resolve()
  }

  /** Looks, not the time that passed, are counted: a machine that slept has not waited. */
  #look(): void {
    const work = this.#work
    if (work === null || work.reached === null || ++this.#silent < patience) return
    void this.close()
    const byte = `byte ${work.reached.toLocaleString('en')}`
    const where = work.file === undefined ? byte : `${byte} of ${work.file}`
    work.reject(
      new FindFailure(
        `The search was stopped: the expression takes too long in a line after ${where}. Try a simpler one.`
      )
    )
  }

  #lost(outOfMemory: boolean): void {
    this.#hasBegun()
    if (this.#ended) return
    this.#ended = true
    const work = this.#work
    this.#rest()
    work?.reject(
      new FindFailure(
        outOfMemory
          ? 'The search was stopped: it ran out of memory. Try a simpler one.'
          : 'The search failed inside Playhead. Please report this.'
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

function failureOf({ code, name }: Extract<FindAnswer, { kind: 'failed' }>): FindFailure {
  if (name === 'RangeError')
    return new FindFailure('The search was stopped: the expression is too complex for a line of this log.')
  // Errors of the system have words in capitals for codes. Messages may quote the log.
  return code !== null && /^E[A-Z]+$/.test(code)
    ? new FindFailure(`The search was stopped: the log could not be read (${code}).`)
    : new FindFailure('The search failed inside Playhead. Please report this.')
}
