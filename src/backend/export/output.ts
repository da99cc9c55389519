import type { Writable } from 'node:stream'
import type { JsonSink } from '#core/export/normalized-jsonl.ts'
import { terminalSafeText } from '#core/terminal-safe-text.ts'
import { writeFailure } from '../write-failure.ts'
import { jsonString } from './json-string.ts'

/** The reader of the output has closed it (`| head`). Not an error. */
export class PipeClosed extends Error {}

/** Size of a buffer; a longer text has its own. */
const pieceBytes = 1 << 18
/** Maximum UTF-8 bytes of a UTF-16 code unit. */
const bytesOfUnit = 3
const writeSize = 1 << 16

/** Buffered output with backpressure: `flush` waits until all is written. */
export class Output implements JsonSink {
  readonly #stream: Writable
  readonly #name: string
  /** Full buffers, before the current one. */
  #pieces: Buffer[] = []
  #piece = Buffer.allocUnsafeSlow(pieceBytes)
  #filled = 0
  /** Of the first write that failed: the stream says of later ones only that it is gone, as if its reader had left. */
  #failure: Error | null = null

  /** `name`: of the file, for the user. */
  constructor(stream: Writable, name = 'standard output') {
    this.#stream = stream
    this.#name = name
    heedErrors(stream)
  }

  /** Escapes terminal control characters. Must not split a surrogate pair. Call `flush` regularly. */
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

  /** Enough data waits for a write. */
  get isFull(): boolean {
    return this.#pieces.length > 0 || this.#filled >= writeSize
  }

  /** Throws `PipeClosed` if the reader has closed the output. */
  async flush(): Promise<void> {
    if (this.#failure !== null) throw this.#failure
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

  /** At most `pieceBytes`. */
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
        if (!error) return resolve()
        this.#failure ??= isPipeError(error)
          ? new PipeClosed('the output pipe was closed')
          : writeFailure(this.#name, error)
        reject(this.#failure)
      })
    })
  }
}

/**
 * Errors of this stream are reported by `Output.flush`; without a listener they would end the process. Once per stream, and
 * before threads are started: Node pipes the output of each into ours, and counts those listeners when we add one.
 */
export function heedErrors(stream: Writable): void {
  if (!stream.listeners('error').includes(leaveToFlush)) stream.on('error', leaveToFlush)
}

function leaveToFlush(): void {}

function isPipeError(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'EOF' || code === 'ECONNRESET'
}
