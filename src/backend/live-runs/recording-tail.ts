import { messageOf } from '#contract/host-error.ts'
import { recordsOf } from '#core/formats/decode-parts.ts'
import { isJsonObject, type JsonValue } from '#core/json.ts'
import { type Line, LineSplitter } from '#core/lines/line-splitter.ts'
import { GrowingFile } from './growing-file.ts'
import { GrowthWatch } from './growth-watch.ts'

const chunkBytes = 1 << 18
/** After an error, such as too many open files. */
const retryMs = 500

export interface TailListener {
  /** `end`: bytes up to the record's end. The next one waits for it. */
  record(record: JsonValue, end: number): void | Promise<void>
  /** All that was there is read. */
  caughtUp(): void
  /** A sentence for the operator of the host. Reading goes on. */
  problem(message: string): void
}

/** Reads the records of a growing recording as they arrive. Text that is no record is skipped: the feed reports it. */
export class RecordingTail {
  readonly #file: GrowingFile
  readonly #listener: TailListener
  readonly #watch: GrowthWatch
  readonly #splitter = new LineSplitter((line) => this.#onLine(line))
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes)
  /** Records that were read and not told yet, and their ends. */
  #records: { readonly record: JsonValue; readonly end: number }[] = []
  #read = 0
  #work: Promise<void> = Promise.resolve()
  #isWaiting = false
  #retry: NodeJS.Timeout | null = null
  #ended = false

  constructor(recording: string, listener: TailListener) {
    this.#file = new GrowingFile(recording)
    this.#listener = listener
    this.#watch = new GrowthWatch([recording], () => this.#readSoon())
    this.#readSoon()
  }

  /** The recording is complete: reads the rest, and closes the file. Never rejects. */
  async end(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    this.#watch.close()
    clearTimeout(this.#retry ?? undefined)
    await this.#work
    await this.#readOn()
    this.#splitter.end()
    await this.#tell()
    this.#listener.caughtUp()
    await this.#file.close().catch(() => {})
  }

  /** Reads once for all calls in the meantime. */
  #readSoon(): void {
    if (this.#isWaiting || this.#ended) return
    this.#isWaiting = true
    this.#work = this.#work.then(async () => {
      this.#isWaiting = false
      await this.#readOn()
      this.#listener.caughtUp()
    })
  }

  async #readOn(): Promise<void> {
    try {
      for (;;) {
        const bytes = await this.#file.read(this.#chunk, this.#read)
        if (bytes.length === 0) return
        this.#read += bytes.length
        this.#splitter.push(bytes)
        await this.#tell()
      }
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error
      const why = messageOf(error)
      this.#listener.problem(`The output of an interactive run cannot be read: ${why}. Its requests come late.`)
      if (!this.#ended) this.#retry = setTimeout(() => this.#readSoon(), retryMs)
    }
  }

  async #tell(): Promise<void> {
    const records = this.#records
    this.#records = []
    for (const { record, end } of records) await this.#listener.record(record, end)
  }

  #onLine({ bytes, offset, length, terminated }: Line): void {
    if (bytes === null || !bytes.includes(openBrace)) return
    const { records } = recordsOf(null, bytes, 'lines')
    for (const { value, end } of records) {
      if (!isJsonObject(value)) continue
      this.#records.push({ record: value, end: offset + end + (terminated && end === length ? 1 : 0) })
    }
  }
}

const openBrace = 0x7b
