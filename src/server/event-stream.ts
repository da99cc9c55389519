import type { ServerResponse } from 'node:http'
import type { GrowingFile } from '#backend/live-runs/growing-file.ts'
import { type BlockEnd, endsEvent, lastBlockEnd, lastEventEnd, type ReadBytes } from '#backend/live-runs/stream-wire.ts'
import { securityHeaders } from '#backend/page-files.ts'

/** A run's stream, as it is followed. */
export interface FollowedStream {
  open(): GrowingFile
  /** Nothing more will be written to it. */
  isOver(): Promise<boolean>
  /** Calls `listener` when more may have been written, until what is returned is called. */
  onGrowth(listener: () => void): () => void
}

/** Where a client wants to go on that no event ends. */
export class NoSuchEvent extends Error {}

const chunkBytes = 1 << 16
/** So that nobody between takes the connection for dead; and a client that is gone shows. */
const keepAliveMs = 15_000
/** What a browser waits before it comes again, in ms. */
const retryMs = 1000

/** Sends a run's server-sent events to one client, from an event on, as they are written: only what will never be written anew. */
export class EventStream {
  readonly #stream: FollowedStream
  readonly #file: GrowingFile
  readonly #read: ReadBytes
  /** Where the last whole block ends. */
  #end: BlockEnd | null = null
  #wake: () => void = () => {}
  /** More may be there than was seen. */
  #stirred = false
  #gone = false

  constructor(stream: FollowedStream) {
    this.#stream = stream
    this.#file = stream.open()
    this.#read = async (offset, length) => await this.#file.read(Buffer.allocUnsafe(length), offset)
  }

  /**
   * Sends what comes after the event with the id `after` (0: all), and resolves when the stream has ended or the client is gone; nothing is
   * left open then. Rejects with `NoSuchEvent`, and nothing is sent.
   */
  async sendTo(response: ServerResponse, after: number): Promise<void> {
    const leave = this.#stream.onGrowth(() => this.#stir())
    response.once('close', () => {
      this.#gone = true
      this.#stir()
    })
    // Of a client that went while it was written to.
    response.on('error', () => {})
    try {
      const isOver = await this.#look()
      if (after > this.#length || !(await endsEvent(this.#read, after))) throw new NoSuchEvent()
      // There is nothing more to come for: without this, a browser would come again and again.
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

  /** Where the last event ends: comments follow it. */
  async #eventsEnd(): Promise<number> {
    return await lastEventEnd(this.#read, this.#length)
  }

  /** Finds out how far the stream is; true where it ends there. */
  async #look(): Promise<boolean> {
    this.#stirred = false
    // Before its length: what is written between the two questions is seen.
    const isOver = await this.#stream.isOver()
    const size = await this.#file.size()
    if (size > this.#length) this.#end = (await lastBlockEnd(this.#read, this.#length, size)) ?? this.#end
    return isOver || this.#end?.isLast === true
  }

  #stir(): void {
    this.#stirred = true
    this.#wake()
  }

  /** Waits for more; false if there was none for a while. */
  async #growth(): Promise<boolean> {
    if (this.#stirred) return true
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      timer = setTimeout(resolve, keepAliveMs)
    })
    clearTimeout(timer)
    return this.#stirred
  }

  /** Resolves when the client has taken it, or is gone. */
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
