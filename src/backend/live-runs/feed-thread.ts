import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { Feed, type StreamListener } from './feed.ts'
import type { FeedFacts, FeedOrder, FeedOutcome, FeedReport, FeedStart } from './feed-messages.ts'
import { GrowthWatch } from './growth-watch.ts'
import { shrinkStream } from './shrink-stream.ts'

const factsIntervalMs = 250
/** The longest wait of `setTimeout`. */
const maxTimerMs = 2 ** 31 - 1

/** Follows a live run until a message ends or stops it. Only system errors are handled; others end the thread. */
export function serveFeed(start: FeedStart, port: MessagePort): void {
  const thread = new FeedThread(start, (report) => port.postMessage(report))
  port.on('message', (order: FeedOrder) => {
    if (order.kind === 'agent-ended') return thread.agentEnded()
    const obeyed = order.kind === 'end' ? thread.end(order.outcome) : thread.close()
    void obeyed.then(() => port.close())
  })
}

class FeedThread {
  readonly #start: FeedStart
  readonly #post: (report: FeedReport) => void
  readonly #listener: StreamListener
  readonly #watch: GrowthWatch
  readonly #stop = new AbortController()
  readonly #problems = new Set<string>()
  readonly #opened: Promise<Feed>
  #feed: Feed | null = null
  #work: Promise<void>
  #reading = false
  #ended = false
  /** The last reported facts, as JSON. */
  #reported = ''
  #reportTimer: NodeJS.Timeout | null = null
  /** Until a call is late. */
  #clockTimer: NodeJS.Timeout | null = null

  constructor(start: FeedStart, post: (report: FeedReport) => void) {
    this.#start = start
    this.#post = post
    this.#listener = {
      tasks: (session) => post({ kind: 'tasks', session }),
      result: (session, tool) => post({ kind: 'result', session, tool }),
      streamed: (bytes) => {
        post({ kind: 'streamed', bytes })
        this.#reportSoon()
      },
      grown: () => this.#readSoon(),
      problem: (message) => this.#problem(message)
    }
    const { recording, folder } = start
    const files = new Set([
      recording,
      ...['stdout.jsonl', 'stderr.txt', 'hooks.jsonl'].map((name) => join(folder, name))
    ])
    this.#watch = new GrowthWatch([...files], () => this.#readSoon())
    this.#opened = Feed.open(start, this.#listener, this.#stop.signal)
    this.#work = this.#opened.then((feed) => void (this.#feed = feed))
    this.#readSoon()
  }

  agentEnded(): void {
    void this.#opened.then((feed) => feed.agentEnded())
  }

  /** Reads to the end, reports the final facts and closes all files. */
  async end(outcome: FeedOutcome): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#clockTimer ?? undefined)
    this.#watch.close()
    await this.#work
    const feed = await this.#opened
    await feed.end(outcome)
    await feed.close()
    clearTimeout(this.#reportTimer ?? undefined)
    this.#post({ kind: 'done', facts: feed.isBroken ? await this.#endAgain(outcome) : feed.facts })
    // On an error the stream only stays large.
    if (this.#start.shrinks) await shrinkStream(this.#start).catch(() => {})
  }

  /** Stops without an end in the stream. */
  async close(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#clockTimer ?? undefined)
    this.#watch.close()
    this.#stop.abort()
    await this.#work
    clearTimeout(this.#reportTimer ?? undefined)
    await (await this.#opened).close()
  }

  /** Writing a part of the stream failed: tries again with a new feed. */
  async #endAgain(outcome: FeedOutcome): Promise<FeedFacts> {
    const feed = await Feed.open(this.#start, this.#listener, this.#stop.signal)
    await feed.end(outcome)
    await feed.close()
    return feed.facts
  }

  /** Reads once for all calls in the meantime. */
  #readSoon(): void {
    if (this.#reading || this.#ended) return
    this.#reading = true
    this.#work = this.#work.then(async () => {
      this.#reading = false
      await this.#feed?.readOn()
      this.#reportSoon()
      this.#wakeLater()
    })
  }

  #wakeLater(): void {
    clearTimeout(this.#clockTimer ?? undefined)
    const inMs = this.#ended ? null : (this.#feed?.wakeInMs ?? null)
    if (inMs !== null) this.#clockTimer = setTimeout(() => this.#readSoon(), Math.min(maxTimerMs, Math.ceil(inMs)))
  }

  #problem(message: string): void {
    if (this.#problems.has(message)) return
    this.#problems.add(message)
    this.#post({ kind: 'problem', message })
  }

  #reportSoon(): void {
    this.#reportTimer ??= setTimeout(() => {
      this.#reportTimer = null
      const facts = this.#feed?.facts
      const json = JSON.stringify(facts)
      if (facts === undefined || json === this.#reported) return
      this.#reported = json
      this.#post({ kind: 'facts', facts })
    }, factsIntervalMs)
  }
}
