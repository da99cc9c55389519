import type { ServerResponse } from 'node:http'
import type { GrowingFile } from '#backend/live-runs/growing-file.ts'
import { type BlockEnd, endsEvent, lastBlockEnd, lastEventEnd, type ReadBytes } from '#backend/live-runs/stream-wire.ts'
import { securityHeaders } from '#backend/page-files.ts'

/** The source of a run's stream. */
export interface FollowedStream {
  open(): GrowingFile
  /** No more will be written. */
  isOver(): Promise<boolean>
  /** Calls `listener` when more may have been written; returns a function that unsubscribes. */
  onGrowth(listener: () => void): () => void
}

/** The client's id is not the end of an event. */
export class NoSuchEvent extends Error {}

const chunkBytes = 1 << 16
/** Keeps proxies from closing the connection, and detects clients that are gone. */
const keepAliveMs = 15_000
/** The reconnection time of browsers. */
const retryMs = 1000

/** Sends a run's server-sent events to one client, from an event on; only complete blocks. */
export class EventStream {
  readonly #stream: FollowedStream
  readonly #file: GrowingFile
  readonly #read: ReadBytes
  /** The end of the last whole block. */
  #end: BlockEnd | null = null
  #wake: () => void = () => {}
  /** The stream may have grown. */
  #mayHaveGrown = false
  #gone = false

  constructor(stream: FollowedStream) {
    this.#stream = stream
    this.#file = stream.open()
    this.#read = async (offset, length) => await this.#file.read(Buffer.allocUnsafe(length), offset)
  }

  /** Sends events after the id `after` (0: all), until stream or connection end. Rejects with `NoSuchEvent` at once. */
  async sendTo(response: ServerResponse, after: number): Promise<void> {
    const leave = this.#stream.onGrowth(() => this.#stir())
    response.once('close', () => {
      this.#gone = true
      this.#stir()
    })
    // The client may disconnect during a write.
    response.on('error', () => {})
    try {
      const isOver = await this.#look()
      if (after > this.#length || !(await endsEvent(this.#read, after))) throw new NoSuchEvent()
      // Without this status a browser would reconnect forever.
      if (isOver && (await this.#eventsEnd()) <= after) {
        response.writeHead(204, securityHeaders).end()
        return
      }
      response.writeHead(200, { ...securityHeaders, 'content-type': 'text/event-stream; charset=utf-8' })
      await this.#write(response, `retry: ${retryMs}\n\n`)
      await this.#follow(response, after, isOver)
    } finally {
      leave()
      await this.#file.close()
    }
  }

  async #follow(response: ServerResponse, after: number, wasOver: boolean): Promise<void> {
    let sent = after
    for (let isOver = wasOver; !this.#gone; isOver = await this.#look()) {
      while (sent < this.#length && !this.#gone) {
        const bytes = await this.#read(sent, Math.min(chunkBytes, this.#length - sent))
        if (bytes.length === 0) return void response.destroy()
        sent += bytes.length
        await this.#write(response, bytes)
      }
      if (isOver) return void response.end()
      if (!(await this.#growth())) await this.#write(response, ': still here\n\n')
    }
  }

  get #length(): number {
    return this.#end?.offset ?? 0
  }

  /** The end of the last event, before comments. */
  async #eventsEnd(): Promise<number> {
    return await lastEventEnd(this.#read, this.#length)
  }

  /** Updates the end of the stream; true: it is complete. */
  async #look(): Promise<boolean> {
    this.#mayHaveGrown = false
    // Before the size, so that a write between the two is included.
    const isOver = await this.#stream.isOver()
    const size = await this.#file.size()
    if (size > this.#length) this.#end = (await lastBlockEnd(this.#read, this.#length, size)) ?? this.#end
    return isOver || this.#end?.isLast === true
  }

  #stir(): void {
    this.#mayHaveGrown = true
    this.#wake()
  }

  /** Waits for growth; false: timeout. */
  async #growth(): Promise<boolean> {
    if (this.#mayHaveGrown) return true
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      timer = setTimeout(resolve, keepAliveMs)
    })
    clearTimeout(timer)
    return this.#mayHaveGrown
  }

  /** Resolves when the client has received it, or is gone. */
  async #write(response: ServerResponse, bytes: Buffer | string): Promise<void> {
    if (this.#gone || response.write(bytes)) return
    await new Promise<void>((resolve) => {
      const go = (): void => {
        response.off('drain', go)
        response.off('close', go)
        resolve()
      }
      response.once('drain', go)
      response.once('close', go)
    })
  }
}
