import type { Writable } from 'node:stream'

/** Whoever read our output has gone (`| head`). Not a failure. */
export class PipeClosed extends Error {}

const writeSize = 1 << 16

/** Lines of data on their way out. Nothing is lost and nothing piles up: `flush` waits until the reader took it all. */
export class Output {
  readonly #stream: Writable
  #text: string[] = []
  #length = 0

  constructor(stream: Writable) {
    this.#stream = stream
    // Reported by `flush`; without a listener it would end the process.
    stream.on('error', () => {})
  }

  /** Text that may be a part of a line. Call `flush` now and then. */
  write(text: string): void {
    this.#text.push(text)
    this.#length += text.length
  }

  line(text: string): void {
    this.write(text)
    this.write('\n')
  }

  /** Whether enough is waiting to be worth a write. */
  get isFull(): boolean {
    return this.#length >= writeSize
  }

  /** Throws `PipeClosed` when nobody reads any more. */
  async flush(): Promise<void> {
    const parts = this.#text
    this.#text = []
    this.#length = 0
    let batch = ''
    for (const part of parts) {
      // Joined up to a size that is quick to write and far from the longest string there can be.
      if (batch.length + part.length > writeSize * 16 && batch !== '') {
        await this.#send(batch)
        batch = ''
      }
      batch += part
    }
    if (batch !== '') await this.#send(batch)
  }

  async #send(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(text, (error) => {
        if (!error) resolve()
        else reject(isPipeError(error) ? new PipeClosed('nobody reads the output') : error)
      })
    })
  }
}

function isPipeError(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'EOF' || code === 'ECONNRESET'
}
