import type { Decoded, Framing, LogFormat } from '#core/formats/log-format.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import { RunReader } from '#core/formats/run-reader.ts'
import { RunIndex } from '#core/index/run-index.ts'
import type { FindProgress, Handlers, LogStatus, Result } from '#contract/methods.ts'
import type { FindJob, FoundPart } from './find/find-jobs.ts'
import { FinderCrew } from './find/finder-crew.ts'
import type { StartFindThread } from './find/finder.ts'
import { LogFinder } from './find/log-finder.ts'
import type { LogToQuery } from './find/query-search.ts'
import { type LogAnswers, logAnswers } from './log-answers.ts'
import { LogPages } from './log-pages.ts'
import { logStatus } from './log-status.ts'
import type { ByteSource, ReadableRun } from './readable-run.ts'
import { HostError } from '#contract/host-error.ts'
import {
  withoutComparing,
  withoutExports,
  withoutLibrary,
  withoutRuns,
  withoutSettings
} from '#contract/refused-methods.ts'

/** Bytes of one read: of the main file, and of others. */
const mainChunk = 1 << 20
const otherChunk = 1 << 16
/** Ms between two status notices. */
const progressInterval = 100
/** Ms of reading between two yields. */
const turnMs = 20

/** A complete file of a run. */
export interface FixedFile<H> {
  /** Undefined for the main file, else as in `LinePosition`. */
  readonly name: string | undefined
  /** As in `RunFile`. */
  readonly callId?: string | undefined
  readonly framing: Framing
  readonly bytes: number
  readonly source: ByteSource
  /** Lets a search thread read it. */
  readonly handle: H
}

/** A run that does not change. */
export interface FixedRun<H> {
  /** The main file's name. */
  readonly name: string
  readonly format: LogFormat
  /** Why no format was detected; null if one was. */
  readonly formatNote: string | null
  /** As in `LogStatus`. */
  readonly notes: readonly string[]
  /** The main file first, the others in reading order. */
  readonly files: readonly FixedFile<H>[]
}

export interface FixedLogListener {
  status(status: LogStatus): void
  found(progress: FindProgress): void
}

/** One open log that does not change: read once, in turns, and answering meanwhile. */
export class FixedLog<H> {
  readonly answers: LogAnswers
  readonly #id: string
  readonly #run: FixedRun<H>
  readonly #listener: FixedLogListener
  readonly #reader: RunReader<Decoded, RunIndex>
  readonly #bytesRead: number[]
  readonly #finder: LogFinder<H>
  readonly #pages: LogPages
  #phase: LogStatus['phase'] = 'reading'
  #error: LogStatus['error'] = null
  #reported = -Infinity

  /** `startFindThread`: starts a thread that searches the files by their handles. */
  constructor(
    id: string,
    run: FixedRun<H>,
    startFindThread: StartFindThread<FindJob<H>, FoundPart>,
    listener: FixedLogListener
  ) {
    this.#id = id
    this.#run = run
    this.#listener = listener
    const [main, ...others] = run.files
    const files = others.map(({ name = '', callId, framing }) => ({ name, callId, framing }))
    const sink = new RunIndex(run.format)
    this.#reader = new RunReader<Decoded, RunIndex>(run.format, sink, { framing: main?.framing ?? 'lines', files })
    this.#bytesRead = run.files.map(() => 0)
    const framingOf = (file: string | undefined) => run.files.find(({ name }) => name === file)?.framing ?? 'lines'
    this.#pages = new LogPages({ format: run.format, files: run.files, framingOf } satisfies ReadableRun, sink)
    this.#finder = new LogFinder(
      (_as, lookInterval) => new FinderCrew(startFindThread, { size: 1, lookInterval }),
      () => this.#toSearch(),
      (progress) => listener.found({ log: id, ...progress })
    )
    this.answers = logAnswers(() => this.#pages, this.#finder)
  }

  /** Reads all. Never rejects: a failure is a status, and the rows read stay usable. */
  async read(): Promise<void> {
    try {
      await this.#readFiles()
      this.#phase = 'done'
    } catch {
      this.#phase = 'failed'
      const message = 'The log could not be read completely. Rows read so far are kept. Reload the page.'
      this.#error = { code: 'unavailable', message }
    }
    this.#report()
  }

  get status(): LogStatus {
    const { name, format, formatNote, notes } = this.#run
    const files = this.#run.files.map((file, number) => ({
      name: file.name ?? '',
      bytes: file.bytes,
      bytesRead: this.#bytesRead[number] ?? 0,
      lines: this.#reader.linesOf(number)
    }))
    const { missing, sink: index } = this.#reader
    return logStatus(
      { log: this.#id, path: name, name, phase: this.#phase, error: this.#error },
      { format, formatNote, notes, files, missing, index }
    )
  }

  async #readFiles(): Promise<void> {
    const reader = this.#reader
    let turn = performance.now()
    try {
      for (let number = reader.wanted; number !== null; number = reader.wanted) {
        await this.#readChunk(number)
        const now = performance.now()
        if (now - this.#reported >= progressInterval) this.#report()
        if (now - turn < turnMs) continue
        await new Promise<void>((resume) => void setTimeout(resume, 0))
        turn = performance.now()
      }
    } finally {
      reader.end()
    }
  }

  async #readChunk(number: number): Promise<void> {
    const file = this.#run.files[number]
    const from = this.#bytesRead[number] ?? 0
    if (file === undefined || from >= file.bytes) return this.#reader.endFile(number)
    const wanted = Math.min(number === 0 ? mainChunk : otherChunk, file.bytes - from)
    const bytes = await file.source.read(from, wanted)
    if (bytes.length < wanted) throw new RangeError('the file is shorter than it was said to be')
    this.#bytesRead[number] = from + wanted
    this.#reader.push(number, bytes)
  }

  #report(): void {
    this.#reported = performance.now()
    this.#listener.status(this.status)
    this.#finder.grew()
  }

  #toSearch(): LogToQuery<H> {
    const { rows: index } = this.#reader.sink
    const files = this.#run.files.map(({ name, framing, bytes, handle }, number) => {
      return { name, framing, bytes, handle, bytesRead: this.#bytesRead[number] ?? 0 }
    })
    return {
      generation: 1,
      isReading: this.#phase === 'reading',
      index,
      settledRows: index.rows,
      files,
      asked: this.#pages.asked
    }
  }
}

/** The handlers of a host with one fixed log. `prices`: to estimate costs with. The page stores its reviews (`share/page-reviews.ts`). */
export function fixedLogHandlers<H>(
  log: FixedLog<H>,
  capabilities: Result<'host.capabilities'>,
  prices: PriceTable | null = null
): Handlers {
  const refuse = async (): Promise<never> => {
    throw new HostError('unavailable', 'This page shows the log that was shared with it. Open other logs in Playhead.')
  }
  return {
    ...log.answers,
    ...withoutRuns('This page shows the log that was shared with it. Start agents in Playhead.'),
    ...withoutLibrary('This page shows the log that was shared with it. Open Playhead to see other sessions.'),
    ...withoutSettings('This page keeps no settings. Save views in Playhead.', prices),
    ...withoutComparing('A page holds one session. Open both in Playhead to compare them.'),
    ...withoutExports('This page is an export itself. Save the page, or open its log in Playhead.'),
    'host.capabilities': async () => capabilities,
    'log.list': async () => ({ logs: [log.status] }),
    'log.open': refuse,
    'log.close': refuse,
    'log.status': async () => log.status,
    'review.get': refuse,
    'review.set': refuse,
    'recent.list': async () => ({ recent: [] }),
    'dialog.open': refuse
  }
}
