import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { Feed, type FeedHearer } from './feed.ts'
import type { FeedFacts, FeedOrder, FeedOutcome, FeedReport, FeedStart } from './feed-messages.ts'
import { GrowthWatch } from './growth-watch.ts'
import { shrinkStream } from './shrink-stream.ts'

/** Facts are told at most so often, in ms. */
const factsMs = 250

/** Follows a live run, until it is told that the run has ended, or to stop. What fails for no reason of the system ends the thread. */
export function serveFeed(start: FeedStart, port: MessagePort): void {
  const thread = new FeedThread(start, (report) => port.postMessage(report))
  port.on('message', (order: FeedOrder) => {
    const obeyed = order.kind === 'end' ? thread.end(order.outcome) : thread.close()
    void obeyed.then(() => port.close())
  })
}

class FeedThread {
  readonly #start: FeedStart
  readonly #say: (report: FeedReport) => void
  readonly #hear: FeedHearer
  readonly #watch: GrowthWatch
  readonly #stop = new AbortController()
  readonly #problems = new Set<string>()
  readonly #opened: Promise<Feed>
  #feed: Feed | null = null
  #work: Promise<void>
  #reading = false
  #ended = false
  /** The facts told last. */
  #told = ''
  #telling: NodeJS.Timeout | null = null

  constructor(start: FeedStart, say: (report: FeedReport) => void) {
    this.#start = start
    this.#say = say
    this.#hear = {
      tasks: (session) => say({ kind: 'tasks', session }),
      result: (session, tool) => say({ kind: 'result', session, tool }),
      streamed: (bytes) => {
        say({ kind: 'streamed', bytes })
        this.#tellSoon()
      },
      problem: (message) => this.#problem(message)
    }
    const { recording, folder } = start
    const files = [recording, join(folder, 'stderr.txt'), join(folder, 'hooks.jsonl')]
    this.#watch = new GrowthWatch(files, () => this.#readSoon())
    this.#opened = Feed.open(start, this.#hear, this.#stop.signal)
    this.#work = this.#opened.then((feed) => void (this.#feed = feed))
    this.#readSoon()
  }

  /** Reads to the end, says what is known then, and lets go of everything. */
  async end(outcome: FeedOutcome): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    this.#watch.close()
    await this.#work
    const feed = await this.#opened
    await feed.end(outcome)
    await feed.close()
    clearTimeout(this.#telling ?? undefined)
    this.#say({ kind: 'done', facts: feed.isBroken ? await this.#endAgain(outcome) : feed.facts })
    // Where it cannot be done, it is not: nothing is lost, the stream only stays as large as it is.
    if (this.#start.shrinks) await shrinkStream(this.#start).catch(() => {})
  }

  /** Lets go of everything. */
  async close(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    this.#watch.close()
    this.#stop.abort()
    await this.#work
    clearTimeout(this.#telling ?? undefined)
    await (await this.#opened).close()
  }

  /** A part of the stream could not be written: perhaps it can be now. */
  async #endAgain(outcome: FeedOutcome): Promise<FeedFacts> {
    const feed = await Feed.open(this.#start, this.#hear, this.#stop.signal)
    await feed.end(outcome)
    await feed.close()
    return feed.facts
  }

  /** Reads on, once for all that is asked while it waits. */
  #readSoon(): void {
    if (this.#reading || this.#ended) return
    this.#reading = true
    this.#work = this.#work.then(async () => {
      this.#reading = false
      await this.#feed?.readOn()
      this.#tellSoon()
    })
  }

  #problem(message: string): void {
    if (this.#problems.has(message)) return
    this.#problems.add(message)
    this.#say({ kind: 'problem', message })
  }

  #tellSoon(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = null
      const facts = this.#feed?.facts
      const print = JSON.stringify(facts)
      if (facts === undefined || print === this.#told) return
      this.#told = print
      this.#say({ kind: 'facts', facts })
    }, factsMs)
  }
}
