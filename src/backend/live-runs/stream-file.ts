import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { StreamEvent } from '#core/bridge/stream-events.ts'
import { readAt } from '../sources/read-at.ts'
import { type BlockEnd, blockEndText, type Consumed, lastBlockEnd, nothingConsumed, wireOf } from './stream-wire.ts'

const writeBytes = 1 << 20

/** The stream's file, for its only writer. */
export class StreamFile {
  readonly #file: FileHandle
  #end: BlockEnd

  private constructor(file: FileHandle, end: BlockEnd) {
    this.#file = file
    this.#end = end
  }

  /** Creates or continues a stream; an incomplete last block is truncated. */
  static async open(path: string): Promise<StreamFile> {
    // Not in append mode, which some systems refuse to truncate.
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      const { size } = await file.stat()
      const end = (await lastBlockEnd(async (offset, length) => await readAt(file, offset, length), 0, size)) ?? {
        offset: 0,
        consumed: nothingConsumed,
        isLast: false
      }
      if (size > end.offset) await file.truncate(end.offset)
      return new StreamFile(file, end)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Size of the stream. */
  get bytes(): number {
    return this.#end.offset
  }

  /** The positions in the sources. */
  get consumed(): Consumed {
    return this.#end.consumed
  }

  get isOver(): boolean {
    return this.#end.isLast
  }

  /** Appends a block. If it rejects, the stream is unchanged. */
  async append(events: readonly StreamEvent[], consumed: Consumed, isLast = false): Promise<void> {
    let offset = this.#end.offset
    let waiting: Buffer[] = []
    let waitingBytes = 0
    const add = async (bytes: Buffer, isEnd: boolean): Promise<void> => {
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes < writeBytes && !isEnd) return
      await this.#write(Buffer.concat(waiting), offset)
      offset += waitingBytes
      waiting = []
      waitingBytes = 0
    }
    try {
      for (const event of wireOf(events, offset)) await add(event, false)
      await add(Buffer.from(blockEndText(consumed, isLast)), true)
      this.#end = { offset, consumed, isLast }
    } catch (error) {
      await this.#file.truncate(this.#end.offset).catch(() => {})
      throw error
    }
  }

  async #write(bytes: Buffer, offset: number): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, offset + at)
      at += bytesWritten
    }
  }

  async sync(): Promise<void> {
    await this.#file.sync()
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}
