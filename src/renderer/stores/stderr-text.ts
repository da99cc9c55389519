import type { Host } from '#contract/methods.ts'
import { Listeners } from './listeners.ts'

/** So much of its end is kept, in characters; it is cut when it has become twice as long. */
const mostKept = 524_288
/** Bytes that are asked for at once. */
const onePiece = 262_144

/** The end of what a run printed on standard error, as text, read on as far as it is asked for. */
export class StderrText {
  text = ''
  /** Bytes before what is kept. */
  skipped = 0
  /** Why it could not be read; null when it could. */
  error: string | null = null
  readonly changes = new Listeners()
  readonly #host: Host
  readonly #run: string
  readonly #decoder = new TextDecoder()
  /** Where is read on; -1: nothing has been read. */
  #at = -1
  #wanted = 0
  #reading = false
  #closed = false

  constructor(host: Host, run: string) {
    this.#host = host
    this.#run = run
  }

  /** There are `length` bytes now. */
  readTo(length: number): void {
    this.#closed = false
    this.#wanted = Math.max(this.#wanted, length)
    if (!this.#reading) void this.#read()
  }

  /** Asks again for what could not be read. */
  retry(): void {
    this.readTo(this.#wanted)
  }

  /** Nobody reads it, until it is asked for again. */
  close(): void {
    this.#closed = true
  }

  async #read(): Promise<void> {
    this.#reading = true
    this.error = null
    try {
      while (this.#at < this.#wanted && !this.#closed) {
        if (this.#at < 0) this.#at = this.skipped = Math.max(0, this.#wanted - mostKept)
        if (this.#at >= this.#wanted) break
        const { bytes } = await this.#host.call('run.stderr', { run: this.#run, from: this.#at, count: onePiece })
        if (bytes.byteLength === 0) break
        this.#add(bytes)
      }
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error)
    }
    this.#reading = false
    if (!this.#closed) this.changes.notify()
  }

  #add(bytes: ArrayBuffer): void {
    const isCutOpen = this.text === '' && this.skipped > 0
    this.#at += bytes.byteLength
    this.text += this.#decoder.decode(bytes, { stream: true })
    if (isCutOpen || this.text.length > 2 * mostKept) this.#cut(isCutOpen ? 0 : this.text.length - mostKept)
    this.changes.notify()
  }

  /** Begins with a whole line, at `from` or after it, where there is one. */
  #cut(from: number): void {
    const end = this.text.indexOf('\n', from)
    const start = end < 0 || end + 1 >= this.text.length ? from : end + 1
    this.skipped += new TextEncoder().encode(this.text.slice(0, start)).length
    this.text = this.text.slice(start)
  }
}
