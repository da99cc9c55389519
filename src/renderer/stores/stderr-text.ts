import { messageOf } from '#contract/host-error.ts'
import type { Host } from '#contract/methods.ts'
import { Listeners } from './listeners.ts'

/** Characters kept from the end; cut when there are twice as many. */
const maxKept = 524_288
/** Bytes per request. */
const pieceBytes = 262_144

/** The end of a run's standard error, read on as it grows. */
export class StderrText {
  text = ''
  /** Bytes before the kept text. */
  skipped = 0
  /** The read error; null for none. */
  error: string | null = null
  readonly changes = new Listeners()
  readonly #host: Host
  readonly #run: string
  readonly #decoder = new TextDecoder()
  /** Offset of the next request; -1 before the first. */
  #at = -1
  #wanted = 0
  #reading = false
  #closed = false

  constructor(host: Host, run: string) {
    this.#host = host
    this.#run = run
  }

  /** Reads up to `length`, the number of bytes so far. */
  readTo(length: number): void {
    this.#closed = false
    this.#wanted = Math.max(this.#wanted, length)
    if (!this.#reading) void this.#read()
  }

  /** Reads again after an error. */
  retry(): void {
    this.readTo(this.#wanted)
  }

  /** Stops reading until the next request. */
  close(): void {
    this.#closed = true
  }

  async #read(): Promise<void> {
    this.#reading = true
    this.error = null
    try {
      while (this.#at < this.#wanted && !this.#closed) {
        if (this.#at < 0) this.#at = this.skipped = Math.max(0, this.#wanted - maxKept)
        if (this.#at >= this.#wanted) break
        const { bytes } = await this.#host.call('run.stderr', { run: this.#run, from: this.#at, count: pieceBytes })
        if (bytes.byteLength === 0) break
        this.#add(bytes)
      }
    } catch (error) {
      this.error = messageOf(error)
    }
    this.#reading = false
    if (!this.#closed) this.changes.notify()
  }

  #add(bytes: ArrayBuffer): void {
    const isCutOpen = this.text === '' && this.skipped > 0
    this.#at += bytes.byteLength
    this.text += this.#decoder.decode(bytes, { stream: true })
    if (isCutOpen || this.text.length > 2 * maxKept) this.#cut(isCutOpen ? 0 : this.text.length - maxKept)
    this.changes.notify()
  }

  /** Removes the text before the first whole line from `from` on. */
  #cut(from: number): void {
    const end = this.text.indexOf('\n', from)
    const start = end < 0 || end + 1 >= this.text.length ? from : end + 1
    this.skipped += new TextEncoder().encode(this.text.slice(0, start)).length
    this.text = this.text.slice(start)
  }
}
