import type { Writable } from 'node:stream'
import type { JsonSink } from '#core/export/normalized-jsonl.ts'
import { terminalSafeText } from '#core/terminal-safe-text.ts'
import { writeFailure } from '../write-failure.ts'
import { jsonString } from './json-string.ts'

/** Whoever read our output has gone (`| head`). Not a failure. */
export class PipeClosed extends Error {}

/** Text is written into pieces of this size, and a longer text is a piece of its own. */
const pieceBytes = 1 << 18
/** A character of a string (a UTF-16 code unit) takes at most so many bytes. */
const bytesOfUnit = 3
const writeSize = 1 << 16

/** Lines of data on their way out. Nothing is lost and nothing piles up: `flush` waits until the reader took it all. */
export class Output implements JsonSink {
  readonly #stream: Writable
  readonly #name: string
  /** Pieces that are full, in order, and the one that is being filled. */
  #pieces: Buffer[] = []
  #piece = Buffer.allocUnsafeSlow(pieceBytes)
  #filled = 0

  /** `name`: of the file, for people. */
  constructor(stream: Writable, name = 'standard output') {
    this.#stream = stream
    this.#name = name
    // Reported by `flush`; without a listener it would end the process.
    stream.on('error', () => {})
  }

  /** Text that may be a part of a line, but not of a character; what would steer a terminal is escaped. Call `flush` now and then. */
  write(text: string): void {
    this.#add(terminalSafeText(text))
  }

  json(text: string): void {
    this.#add(text)
  }

  string(text: string): void {
    jsonString(text, (bytes) => this.#bytes(bytes))
  }

  /** Bytes as they are. */
  bytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += pieceBytes) this.#bytes(bytes.subarray(at, at + pieceBytes))
  }

  line(text: string): void {
    this.write(text)
    this.write('\n')
  }

  /** Whether enough is waiting to be worth a write. */
  get isFull(): boolean {
    return this.#pieces.length > 0 || this.#filled >= writeSize
  }

  /** Throws `PipeClosed` when nobody reads any more. */
  async flush(): Promise<void> {
    this.#endPiece()
    const pieces = this.#pieces
    this.#pieces = []
    for (const piece of pieces) await this.#send(piece)
  }

  #add(text: string): void {
    if (text.length * bytesOfUnit > pieceBytes - this.#filled) {
      this.#endPiece()
      if (text.length * bytesOfUnit > pieceBytes) {
        this.#pieces.push(Buffer.from(text))
        return
      }
    }
    this.#filled += this.#piece.write(text, this.#filled)
  }

  /** At most a piece of them. */
  #bytes(bytes: Uint8Array): void {
    if (bytes.length > pieceBytes - this.#filled) this.#endPiece()
    this.#piece.set(bytes, this.#filled)
    this.#filled += bytes.length
  }

  #endPiece(): void {
    if (this.#filled === 0) return
    this.#pieces.push(this.#piece.subarray(0, this.#filled))
    this.#piece = Buffer.allocUnsafeSlow(pieceBytes)
    this.#filled = 0
  }

  async #send(bytes: Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(bytes, (error) => {
        if (!error) resolve()
        else reject(isPipeError(error) ? new PipeClosed('the output pipe was closed') : writeFailure(this.#name, error))
      })
    })
  }
}

function isPipeError(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'EOF' || code === 'ECONNRESET'
}
